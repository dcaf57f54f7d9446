/** Kinds and groups of columns that several tables share. */
import { type Fields, flag, money, prefixed, text, textUpTo } from '../../http/fields.ts'

/** The name of a record or a person. */
export const name = textUpTo(256)
/** A short text: a status, a type, a code. */
export const word = textUpTo(50)
export const currency = textUpTo(3)

/**
 * The product's size and weight when the line was written. Source: the section on stock of Cin7 Core's API reference,
 * “All Objects that contain field 'ProductID', also contain additional fields”.
 * Its custom fields are only in the product's own row.
 */
export const productSizes: Fields = {
  ProductLength: money,
  ProductWidth: money,
  ProductHeight: money,
  ProductWeight: money,
  WeightUnits: word,
  DimensionsUnits: word,
}

const address: Fields = {
  DisplayAddressLine1: text,
  DisplayAddressLine2: text,
  Line1: text,
  Line2: text,
  City: name,
  State: name,
  Postcode: word,
  Country: name,
}

/** One column for each part of an address within a document. */
export function addressAt(path: string): Fields {
  return prefixed(`${path}.`, address)
}

/** A delivery address with its recipient. */
export function shippingAddressAt(path: string): Fields {
  return prefixed(`${path}.`, { ...address, Company: name, Contact: textUpTo(512), ShipToOther: flag })
}
