import { Callout } from '../../ui/feedback/callout.tsx'
import css from './loads.module.css'
import type { SheetView } from './sheet.ts'
import { cellText } from '@tributary/contract/sheet-preview'
import { columnTypeWords } from '@tributary/contract/load-wording'
import { formatCount } from '../../ui/formats.ts'

const previewRows = 8

/**
 * The first rows of a sheet with the likely types of its columns, or its problem. `rows`: number of rows below the
 * headings.
 */
export function SheetPreview({
  view: { headings, types, rows, problem },
  rows: total,
}: {
  view: SheetView
  rows: number
}) {
  if (problem !== null) return <Callout tone="error">{problem}</Callout>
  const shown = rows.slice(0, previewRows)
  return (
    <>
      <p className="small subtle">
        {`The first ${formatCount(Math.min(shown.length, total))} of ${formatCount(total)} rows. Check looks at all of them.`}
      </p>
      {/* Focusable, so that the keyboard can scroll it sideways. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above */}
      <section className={css.preview} aria-label="First rows" tabIndex={0}>
        <table>
          <caption className="visually-hidden">First rows</caption>
          <thead>
            <tr>
              {headings.map((heading, at) => (
                <th key={columnKey(heading, at)} scope="col" data-number={types[at] === 'number' || undefined}>
                  {heading}
                  <span className={css.type}>{columnTypeWords[types[at] ?? 'text']}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // Two rows may be equal, and the order never changes.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <tr key={index}>
                {headings.map((heading, at) => (
                  <td key={columnKey(heading, at)} data-number={types[at] === 'number' || undefined}>
                    {cellText(row[at] ?? null)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Headings may be missing or repeated until the sheet is fixed. */
function columnKey(heading: string, at: number): string {
  return `${at} ${heading}`
}
