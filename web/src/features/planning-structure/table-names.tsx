/** What the tables of a version or a helper table are called: cut in the list, in full by the button that copies. */
import { excelTableName, inputTableName, shownNames, sqlTableName } from '@tributary/contract/derived-names'
import type { Column } from '../../ui/tables/data-table.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import css from './planning-structure.module.css'

interface Names {
  readonly excel: string
  readonly sql: string
}
export interface TableNames {
  readonly shown: Names
  readonly full: Names
}

export function versionTables(name: string): TableNames {
  return {
    shown: shownNames.version(name),
    full: { excel: excelTableName.version(name), sql: sqlTableName.version(name) },
  }
}

export function helperTables(inputName: string): TableNames {
  return {
    shown: shownNames.helperTable(inputName),
    full: { excel: excelTableName.helperTable(inputName), sql: sqlTableName.helperTable(inputName) },
  }
}

export function helperTablesNamed(name: string): TableNames {
  return helperTables(inputTableName(name))
}

export const tableTitles = { excel: 'Excel Table Name', sql: 'SQL Table Name' } as const

export function tableColumns<Row extends { readonly Name: string }>(
  namesOf: (row: Row) => TableNames,
): readonly Column<Row>[] {
  return (['excel', 'sql'] as const).map((which) => ({
    title: tableTitles[which],
    cell: (row) => {
      const { shown, full } = namesOf(row)
      return (
        <span className={css.tableName}>
          <code>{shown[which]}</code>
          <CopyButton text={full[which]} what={`${tableTitles[which]} of ${row.Name}`} />
        </span>
      )
    },
  }))
}

const previewedMax = 5

/** What the names that stand in a form would give. */
export function TablePreview({
  names,
  tablesOf,
}: {
  names: readonly string[]
  tablesOf: (name: string) => TableNames
}) {
  if (names.length === 0) return null
  return (
    <div className={css.preview}>
      {names.slice(0, previewedMax).map((name) => {
        const { excel, sql } = tablesOf(name).shown
        return (
          <dl key={name} className={css.previewed}>
            <dt>{tableTitles.excel}</dt>
            <dd>
              <code>{excel}</code>
            </dd>
            <dt>{tableTitles.sql}</dt>
            <dd>
              <code>{sql}</code>
            </dd>
          </dl>
        )
      })}
      {names.length > previewedMax ? (
        <p className="small subtle">{`and those of ${names.length - previewedMax} more`}</p>
      ) : null}
    </div>
  )
}
