/** A table in one company. */
import type { ODataApi } from './api.ts'
import type { ODataTable } from './metadata/tables.ts'

export interface CompanyTable {
  readonly api: ODataApi
  readonly table: ODataTable
  readonly company: string
}
