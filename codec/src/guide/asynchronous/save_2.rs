// Test of `save` in asynchronous.md, which includes it in a hidden line.
{
    use linkstream_example::run;
    use linkstream::lattice::{Extents, Precision, Region};
    use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};
    let file = PrivateFile::new(&Extents::new(&[2, 2, 2, 2])?);
    let data = RecordData {
        datatype: "QDP_D_Real".try_into()?,
        precision: "D".try_into()?,
        typesize: 8,
        datacount: 8,
        ..RecordData::default()
    };
    let record = PrivateRecord::new(&Region::Lattice).with_data(data)?;
    let fields = [(); 3].map(|()| OutgoingMessage::scidac(&record, b"numbers"));
    let disk = linkstream_example::Disk::default();
    run(save(disk.clone(), &mut [0; 512], &OutgoingMessage::file(&file, b"a title"), &fields))?;
    let (bytes, mut sums) = (disk.bytes.borrow(), Vec::new());
    let mut file = linkstream::io::FieldReader::new(bytes.as_slice(), [0; 512]);
    while let Some(mut field) = file.next_field()? {
        let mut numbers = [0.0_f64; 128];
        field.read_into(&mut numbers)?;
        sums.push(numbers.iter().sum::<f64>());
    }
    assert_eq!(sums, [64.0, 0.0, 64.0]);
    Ok(())
}
