/**
 * Wire names: entities use the specification's PascalCase (`CompanyName`), the server camelCase
 * (`companyName`). Names that are already camelCase, such as the session's, stay unchanged.
 */

/** The same value with every declared name in camelCase. Open records (`{'data source': …}`) keep their keys. */
export type Camel<T> = T extends readonly (infer Item)[]
  ? readonly Camel<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [K in keyof T as K extends string ? Uncapitalize<K> : K]: Camel<T[K]> }
    : T
