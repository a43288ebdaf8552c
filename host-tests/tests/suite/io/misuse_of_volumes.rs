//! The misuse of the readers and writers of volumes that `guide::misuse` lists as an error is one.
