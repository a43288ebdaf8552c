/** The union of some types. Entries that one of them lacks are optional in it and can only be undefined. */
export type Alternatives<Union> = Completed<Union, KeysOf<Union>>;

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type Completed<One, Keys extends PropertyKey> = One extends unknown
  ? One & { [Key in Exclude<Keys, keyof One>]?: undefined }
  : never;
