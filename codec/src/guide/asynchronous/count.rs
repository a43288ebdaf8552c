// Test of `count` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    let disk = linkstream_example::disk(&linkstream_example::links());
    assert_eq!(run(count(disk, &mut [0; 64]))?, 2);
    Ok(())
}
