/** Parts that documents of several kinds share: sizes of products, addresses, attached files. */
import type { Company, Product } from './company.ts'
import { ten } from './write.ts'
import type { Row } from './write.ts'

type Place = Readonly<Record<'City' | 'State' | 'Postcode' | 'Country', string>>

/** In centimetres and kilograms. Every other product has never been measured. */
export function sizesOf({ sku }: Product): { length: number; width: number; height: number; weight: number } {
  const number = Number(sku.slice(-4))
  if (number % 2 === 0) return { length: 0, width: 0, height: 0, weight: 0 }
  return { length: 10 + number, width: 7.5, height: 0.25 * number, weight: 0.125 * number }
}

/** What every object with a `ProductID` has besides, as the section on stock of the API's reference says. */
export function productFieldsOf(product: Product): Row {
  const { length, width, height, weight } = sizesOf(product)
  return {
    ProductLength: length,
    ProductWidth: width,
    ProductHeight: height,
    ProductWeight: weight,
    WeightUnits: 'kg',
    DimensionsUnits: 'cm',
    ...ten('ProductCustomField', product.category, null),
  }
}

/** With the two lines in which Cin7 shows it. */
export function addressOf(line1: string, line2: string, { City, State, Postcode, Country }: Place): Row {
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

export function fileOf({ idOf }: Company, of: string, name: string): Row {
  const ID = idOf(`file of ${of}`)
  return {
    ID,
    ContentType: 'image/jpeg',
    FileName: name,
    DownloadUrl: `https://inventory.example/Attachment/Download?Id=${ID}`,
  }
}
