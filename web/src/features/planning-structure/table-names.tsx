/** Names of the tables of a version or a helper table: shortened for the list, in full for the copy button. */
import { excelTableName, inputTableName, shownNames, sqlTableName } from '@tributary/contract/derived-names'
import type { TableColumn } from '../../ui/tables/data-table.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import css from './planning-structure.module.css'

interface TableNamePair {
  readonly excel: string
  readonly sql: string
}
export interface DisplayedTableNames {
  readonly shown: TableNamePair
  readonly full: TableNamePair
}

export function versionTableNames(name: string): DisplayedTableNames {
  return {
    shown: shownNames.version(name),
    full: { excel: excelTableName.version(name), sql: sqlTableName.version(name) },
  }
}

export function helperTableNamesOfInput(inputName: string): DisplayedTableNames {
  return {
    shown: shownNames.helperTable(inputName),
    full: { excel: excelTableName.helperTable(inputName), sql: sqlTableName.helperTable(inputName) },
  }
}

export function helperTableNamesOf(name: string): DisplayedTableNames {
  return helperTableNamesOfInput(inputTableName(name))
}

export const tableNameTitles = { excel: 'Excel Table Name', sql: 'SQL Table Name' } as const

export function tableNameColumns<Row extends { readonly Name: string }>(
  namesOf: (row: Row) => DisplayedTableNames,
): readonly TableColumn<Row>[] {
  return (['excel', 'sql'] as const).map((which) => ({
    title: tableNameTitles[which],
    cell: (row) => {
      const { shown, full } = namesOf(row)
      return (
        <span className={css.tableName}>
          <code>{shown[which]}</code>
          <CopyButton text={full[which]} what={`${tableNameTitles[which]} of ${row.Name}`} />
        </span>
      )
    },
  }))
}

const maxPreviews = 5

/** Previews the table names for the names in a form. */
export function TableNamePreview({
  names,
  tablesOf,
}: {
  names: readonly string[]
  /** Undefined if no table is named after the record. */
  tablesOf: ((name: string) => DisplayedTableNames) | undefined
}) {
  if (names.length === 0 || tablesOf === undefined) return null
  return (
    <div className={css.preview}>
      {names.slice(0, maxPreviews).map((name) => {
        const { excel, sql } = tablesOf(name).shown
        return (
          <dl key={name} className={css.previewed}>
            <dt>{tableNameTitles.excel}</dt>
            <dd>
              <code>{excel}</code>
            </dd>
            <dt>{tableNameTitles.sql}</dt>
            <dd>
              <code>{sql}</code>
            </dd>
          </dl>
        )
      })}
      {names.length > maxPreviews ? (
        <p className="small subtle">{`and those of ${names.length - maxPreviews} more`}</p>
      ) : null}
    </div>
  )
}
