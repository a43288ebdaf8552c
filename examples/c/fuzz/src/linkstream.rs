pub fn check(_: &[u8]) {}
pub fn seeds() -> Vec<(String, Vec<u8>)> { vec![] }
