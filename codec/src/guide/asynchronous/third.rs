// Test of `third` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    let file = linkstream_example::file();
    let mut records = linkstream::io::RecordReader::new(file.as_slice(), [0; 64]);
    for _ in 0..3 {
        records.next_record()?;
    }
    let (mut out, mut expected) = ([0; 4096], [0; 4096]);
    let n = run(third(linkstream_example::disk(&file), &mut out))?;
    assert!(n > 64);
    assert_eq!(out[..n], *records.read_into(&mut expected)?);
    assert_eq!(run(third(linkstream_example::disk(&file), &mut out[..9]))?, 9);
    Ok(())
}
