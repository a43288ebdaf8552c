// Test of `verify` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    let (file, mut buffer) = (linkstream_example::links(), [0; 64]);
    assert!(run(verify(file.as_slice(), &mut buffer))?);
    // No field: an empty file, and one that was cut off after its first message.
    assert!(!run(verify(&[][..], &mut buffer))?);
    let mut records = linkstream::io::RecordReader::new(file.as_slice(), [0; 64]);
    for _ in 0..3 {
        records.next_record()?;
    }
    let end = usize::try_from(records.record().offset)?;
    assert!(!run(verify(&file[..end], &mut buffer))?);
    let mut wrong = file.clone();
    wrong[file.len() - 1000] ^= 1;
    assert!(run(verify(wrong.as_slice(), &mut buffer)).is_err());
    Ok(())
}
