/**
 * Wire names: entities travel as the specification writes them (`CompanyName`), the server speaks camelCase
 * (`companyName`). A name already in camelCase (the session's) stays as it is.
 */

/** The same value with every declared name in camelCase. Open records (`{'data source': …}`) keep their keys. */
export type Camel<T> = T extends readonly (infer Item)[]
  ? readonly Camel<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [K in keyof T as K extends string ? Uncapitalize<K> : K]: Camel<T[K]> }
    : T
