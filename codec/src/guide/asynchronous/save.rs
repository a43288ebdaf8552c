// Test of `save` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    let disk = linkstream_example::Disk::default();
    let (lattice, links, quarks) = (Extents::new(&[2, 2, 2, 2])?, [[0.5; 72]; 16], [0.25; 16 * 288]);
    run(save(disk.clone(), &mut [0; 4096], lattice, &links, &quarks))?;
    let (bytes, mut fields) = (disk.bytes.borrow(), 0);
    let mut file = linkstream::io::FieldReader::new(bytes.as_slice(), [0; 512]);
    while let Some(mut field) = file.next_field()? {
        field.verdict()?.require_match()?;
        fields += 1;
    }
    assert_eq!(fields, 5);
    Ok(())
}
