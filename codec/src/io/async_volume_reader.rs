//! The reader of one volume of a set, over an asynchronous source.

use core::task::Poll;

use embedded_io_async::{Read, Seek};

use super::error::ReadError;
use super::positioned_read::PositionedRead;
use super::volume_jobs::{Job, Join, Need, NextEvent, Ranks, Run, VolumeError};
use super::volume_reader::VolumeReader;
use crate::callback::{CallbackError, Outcome};
use crate::field::{Field, Site};
use crate::volume::{Event, SitesRead};

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does. A call whose future was
/// dropped can be repeated: then all sites or ranks are passed again. `for_each_site_async` cannot, once it has passed
/// sites.
///
/// ```
/// use embedded_io_async::{Read, Seek};
/// use linkstream::field::Field;
/// use linkstream::io::VolumeReader;
/// use linkstream::volume::{Decoder, ErrorKind, Event, Tally};
/// use linkstream::{CallbackError, Mode, io::ReadError};
///
/// /// Adds what another volume than the first has of the fields of a set, and counts its sites.
/// async fn add<R: Read + Seek>(
///     source: R,
///     fields: &mut [(Field, Tally)],
/// ) -> Result<u64, CallbackError<ReadError<R::Error, ErrorKind>, core::convert::Infallible>> {
///     let (mut list, mut buffer) = ([0; 512], [0; 4096]);
///     let mut volume = VolumeReader::new(source, &mut list, &mut buffer, Decoder::new(Mode::Strict));
///     let (mut found, mut sites) = (Vec::new(), 0);
///     for (field, tally) in fields {
///         volume.decoder_mut().expect_field(field);
///         while let Some(event) = volume.next_async().await? {
///             if event == Event::Field {
///                 found.extend(volume.decoder().field().copied());
///                 let read = volume.for_each_site_async(|site| println!("{}", site.rank())).await?;
///                 tally.add(read);
///             } else if event == Event::FieldEnd {
///                 break;
///             }
///         }
///     }
///     // Once more.
///     for field in &found {
///         volume.sites_of_async(field, |_| ()).await?;
///     }
///     volume.for_each_rank_async(|_| sites += 1).await?;
///     Ok(sites)
/// }
/// ```
impl<R: Read + Seek> VolumeReader<'_, R> {
    /// Returns the next event; `None` at the end of the volume. Data that were not read with
    /// [`for_each_site_async`](Self::for_each_site_async) are skipped.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub async fn next_async(&mut self) -> Result<Option<Event>, VolumeError<R::Error>> {
        run(&mut self.source, NextEvent::new(&mut self.frame)).await.map_err(CallbackError::into_failed)
    }

    /// Passes each site of the field that has just begun to the callback, in the order of the site list;
    /// [`Site::index`] counts those of this volume. Returns their number and their checksum. Sites whose rank is
    /// outside the lattice are counted, but not passed; [`SiteAccount`](crate::volume::SiteAccount) reports them.
    ///
    /// # Errors
    /// The source failed, or ends inside the data; the data have another number of sites than the list; the buffer
    /// is smaller than a site ([`ReadError::TooSmall`], or [`ReadError::Limit`] if the site is also above the limit);
    /// or the callback failed. [`ReadError::Interrupted`] if an earlier call for these data has failed or was dropped
    /// after it had passed sites: `sites_of` can pass all of them again.
    pub async fn for_each_site_async<O: Outcome>(
        &mut self,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Run<SitesRead, R::Error, O::Error> {
        let field = self.frame.field()?;
        let joined = run(&mut self.source, Join::new(&mut self.frame, &field, true, each)?).await?;
        self.frame.pass_joined(&joined)?;
        Ok(joined.result(&field).map_err(ReadError::from)?)
    }

    /// The same for an earlier field, whose data in this volume are in `field.record`. If the data are truncated,
    /// fewer sites are passed. The position of the decoder does not change.
    ///
    /// # Errors
    /// As [`for_each_site_async`](Self::for_each_site_async).
    pub async fn sites_of_async<O: Outcome>(
        &mut self,
        field: &Field,
        each: impl FnMut(Site<'_>) -> O,
    ) -> Run<SitesRead, R::Error, O::Error> {
        let joined = run(&mut self.source, Join::new(&mut self.frame, field, false, each)?).await?;
        Ok(joined.result(field).map_err(ReadError::from)?)
    }

    /// Passes the rank of each site of the list to the callback, once the list is known.
    ///
    /// # Errors
    /// The source failed, or ends inside the list; there is no list ([`ReadError::NotOpen`]); or the callback
    /// failed.
    pub async fn for_each_rank_async<O: Outcome>(
        &mut self,
        each: impl FnMut(u64) -> O,
    ) -> Run<(), R::Error, O::Error> {
        run(&mut self.source, Ranks::new(&mut self.frame, each)?).await
    }
}

/// Runs a job to its end, with what it needs of the source.
async fn run<R: Read + Seek, J: Job<R::Error>>(
    source: &mut PositionedRead<R>,
    mut job: J,
) -> Run<J::Done, R::Error, J::Callback> {
    loop {
        if let Poll::Ready(done) = job.run() {
            return done;
        }
        match job.need()? {
            Need::End => {
                let end = source.end_async().await.map_err(ReadError::Io)?;
                job.end_is(end)?;
            }
            Need::Bytes { at, into } => {
                let n = source.fill_async(at, into).await.map_err(ReadError::Io)?;
                job.filled(n);
            }
        }
    }
}
