/** Converts cells from Excel's form to the contract's. */
import { customFormat } from '@tributary/contract/excel-number-formats'
import type { SheetCell } from '@tributary/contract/cells'
import { serialDate } from '@tributary/contract/excel-dates'

/** A range as Excel returns it, row by row. The number formats show which numbers are dates. */
export interface RangeValues {
  readonly values: readonly (readonly unknown[])[]
  readonly valueTypes: readonly (readonly string[])[]
  readonly numberFormat: readonly (readonly unknown[])[]
}

export function convertCells({ values, valueTypes, numberFormat }: RangeValues, is1904: boolean): SheetCell[][] {
  const formats = new Map<string, ReturnType<typeof customFormat>>()
  const findFormat = (code: string) => {
    const format = formats.get(code) ?? customFormat(code)
    formats.set(code, format)
    return format
  }
  return values.map((row, at) =>
    row.map((value, column): SheetCell => {
      if (value === '' || value === null || value === undefined) return null
      if (valueTypes[at]?.[column] === 'Error') return { e: String(value).slice(0, errorMax) }
      if (typeof value === 'boolean') return value
      // The shortest decimal that round-trips to the same double, which is all that the sheet holds.
      if (typeof value === 'number')
        return serialDate(String(value), findFormat(String(numberFormat[at]?.[column] ?? '')), is1904)
      return String(value)
    }),
  )
}

const errorMax = 50
