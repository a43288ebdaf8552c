// Test of `count` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    let disk = linkstream_example::disk(&linkstream_example::file());
    assert_eq!(run(count(disk))?, 6);
    Ok(())
}
