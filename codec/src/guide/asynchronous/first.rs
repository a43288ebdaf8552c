// Test of `first` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    let (file, mut buffer) = (linkstream_example::links(), [0; 1024]);
    let (mut numbers, mut bytes) = (vec![0.0; 16 * 72], vec![0; 16 * 288]);
    assert!(run(first(file.as_slice(), &mut buffer, &mut numbers))?.is_some_and(|verdict| verdict.is_match()));
    assert_eq!(numbers, vec![0.25; 16 * 72]);
    assert!(run(second(file.as_slice(), &mut buffer, &mut bytes))?.is_some_and(|verdict| verdict.is_match()));
    assert_eq!(bytes, 0.5_f32.to_be_bytes().repeat(16 * 72));
    assert_eq!(run(sum(file.as_slice(), &mut buffer))?, (0.75 * 16.0 * 72.0, true));
    Ok(())
}
