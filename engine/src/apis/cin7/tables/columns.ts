/** Groups of columns that several tables have. */
import { flag, money, text } from '../../http/fields.ts'
import type { Field } from '../../http/fields.ts'

/**
 * How large and heavy a product was when the line was written. "All Objects that contain field 'ProductID', also contain additional
 * fields", says the section on stock of Cin7 Core's API reference; the custom fields among them are left to the product's own row.
 */
export const productSizes: readonly Field[] = [
  money('ProductLength'),
  money('ProductWidth'),
  money('ProductHeight'),
  money('ProductWeight'),
  text('WeightUnits', 50),
  text('DimensionsUnits', 50),
]

/** An address within a document, one column for each of its parts. */
export function addressAt(path: string): Field[] {
  return [
    text(`${path}.DisplayAddressLine1`),
    text(`${path}.DisplayAddressLine2`),
    text(`${path}.Line1`),
    text(`${path}.Line2`),
    text(`${path}.City`, 256),
    text(`${path}.State`, 256),
    text(`${path}.Postcode`, 50),
    text(`${path}.Country`, 256),
  ]
}

/** Where goods are sent: an address and whose it is. */
export function shippingAddressAt(path: string): Field[] {
  return [...addressAt(path), text(`${path}.Company`, 256), text(`${path}.Contact`, 512), flag(`${path}.ShipToOther`)]
}
