/** Column groups that several tables share. */
import { flag, money, text } from '../../http/fields.ts'
import type { FieldMapping } from '../../http/fields.ts'

/**
 * The product's size and weight when the line was written. Source: the section on stock of Cin7 Core's API reference,
 * “All Objects that contain field 'ProductID', also contain additional fields”.
 * Its custom fields are only in the product's own row.
 */
export const productSizes: readonly FieldMapping[] = [
  money('ProductLength'),
  money('ProductWidth'),
  money('ProductHeight'),
  money('ProductWeight'),
  text('WeightUnits', 50),
  text('DimensionsUnits', 50),
]

/** One column for each part of an address within a document. */
export function addressAt(path: string): FieldMapping[] {
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

/** A delivery address with its recipient. */
export function shippingAddressAt(path: string): FieldMapping[] {
  return [...addressAt(path), text(`${path}.Company`, 256), text(`${path}.Contact`, 512), flag(`${path}.ShipToOther`)]
}
