// Test of `look` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream::Encode as _;
    use linkstream_example::run;
    let mut file = [0; 1024];
    let mut writer = linkstream::io::RecordWriter::create(&mut file[..]);
    writer.write_message([(&b"ildg-data-lfn"[..], &b"lfn://a"[..]), (b"text", b"twenty bytes of text"), (b"more", b"")])?;
    let length = usize::try_from(writer.encoder().position())?;
    writer.finish()?;
    assert_eq!(run(look(&file[..length], &mut [0; 100]))?, (7, 20, 1));
    Ok(())
}
