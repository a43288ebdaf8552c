// Test of `greet` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    let disk = linkstream_example::Disk::default();
    run(greet(disk.clone()))?;
    assert_eq!(disk.bytes.borrow()[144..], *b"hello\0\0\0");
    Ok(())
}
