/** Parts that several kinds of documents share: product sizes, addresses, attached files. */
import type { Cin7Company, Cin7Product } from './company.ts'
import { numberedFields } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

type PostalAddress = Readonly<Record<'City' | 'State' | 'Postcode' | 'Country', string>>

/** In centimetres and kilograms. Every second product has no measurements. */
export function sizesOf({ sku }: Cin7Product): { length: number; width: number; height: number; weight: number } {
  const number = Number(sku.slice(-4))
  if (number % 2 === 0) return { length: 0, width: 0, height: 0, weight: 0 }
  return { length: 10 + number, width: 7.5, height: 0.25 * number, weight: 0.125 * number }
}

/** The fields of every object with a `ProductID`, according to the section on stock of the API reference. */
export function productFieldsOf(product: Cin7Product): Cin7Row {
  const { length, width, height, weight } = sizesOf(product)
  return {
    ProductLength: length,
    ProductWidth: width,
    ProductHeight: height,
    ProductWeight: weight,
    WeightUnits: 'kg',
    DimensionsUnits: 'cm',
    ...numberedFields('ProductCustomField', product.category, null),
  }
}

/** An address, including the two lines in which Cin7 displays it. */
export function addressOf(line1: string, line2: string, { City, State, Postcode, Country }: PostalAddress): Cin7Row {
  return {
    DisplayAddressLine1: `${line1} ${line2}`.trim(),
    DisplayAddressLine2: [City, State, Postcode, Country].filter((part) => part !== '').join(' '),
    Line1: line1,
    Line2: line2,
    City,
    State,
    Postcode,
    Country,
  }
}

export function fileOf({ idOf }: Cin7Company, of: string, name: string): Cin7Row {
  const ID = idOf(`file of ${of}`)
  return {
    ID,
    ContentType: 'image/jpeg',
    FileName: name,
    DownloadUrl: `https://inventory.example/Attachment/Download?Id=${ID}`,
  }
}
