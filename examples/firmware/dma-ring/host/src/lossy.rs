//! A link that loses, doubles and reorders datagrams, by a seed.

use std::collections::VecDeque;

use anyhow::Result;
use fastrand::Rng;

use crate::link::Link;

/// Number of datagrams that were treated badly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses {
    pub lost: u32,
    pub doubled: u32,
    pub reordered: u32,
}

/// In both directions, the given percentage of datagrams is lost, the same percentage is doubled, and the same
/// percentage arrives later than the datagram after it.
#[derive(Debug)]
pub struct Lossy<L> {
    link: L,
    random: Rng,
    percent: u8,
    late: Option<Vec<u8>>,
    arrived: VecDeque<Vec<u8>>,
    pub losses: Losses,
}

enum Fate {
    Normal,
    Lost,
    Doubled,
    Late,
}

impl<L: Link> Lossy<L> {
    pub fn new(link: L, seed: u64, percent: u8) -> Self {
        let (late, arrived) = (None, VecDeque::new());
        Self { link, random: Rng::with_seed(seed), percent, late, arrived, losses: Losses::default() }
    }

    fn fate(&mut self) -> Fate {
        let (number, percent) = (self.random.u8(..100), self.percent);
        let (fate, count) = if number < percent {
            (Fate::Lost, &mut self.losses.lost)
        } else if number < 2 * percent {
            (Fate::Doubled, &mut self.losses.doubled)
        } else if number < 3 * percent {
            (Fate::Late, &mut self.losses.reordered)
        } else {
            return Fate::Normal;
        };
        *count += 1;
        fate
    }
}

impl<L: Link> Link for Lossy<L> {
    fn send(&mut self, datagram: &[u8]) -> Result<()> {
        match self.fate() {
            Fate::Lost => return Ok(()),
            Fate::Late => {
                if let Some(before) = self.late.replace(datagram.to_vec()) {
                    self.link.send(&before)?;
                }
                return Ok(());
            }
            Fate::Doubled => self.link.send(datagram)?,
            Fate::Normal => {}
        }
        self.link.send(datagram)?;
        if let Some(late) = self.late.take() {
            self.link.send(&late)?;
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<Vec<u8>>> {
        if let Some(datagram) = self.arrived.pop_front() {
            return Ok(Some(datagram));
        }
        let Some(datagram) = self.link.receive()? else { return Ok(None) };
        match self.fate() {
            Fate::Lost => self.receive(),
            Fate::Doubled => {
                self.arrived.push_back(datagram.clone());
                Ok(Some(datagram))
            }
            Fate::Late => {
                let next = self.link.receive()?;
                self.arrived.push_back(datagram);
                Ok(next.or_else(|| self.arrived.pop_front()))
            }
            Fate::Normal => Ok(Some(datagram)),
        }
    }
}
