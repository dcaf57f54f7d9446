import { count } from '../../ui/tables/data-table.tsx'
import { Note } from '../../ui/feedback/callout.tsx'
import css from './loads.module.css'
import { type SheetView, textOf } from './sheet.ts'
import { typeWords } from './load-wording.ts'

const shownRows = 8

/** The first rows of a sheet, and what its columns look like they hold, or what is wrong with it. `rows`: how many there are below the headings. */
export function Preview({ view: { headings, types, rows, problem }, rows: total }: { view: SheetView; rows: number }) {
  if (problem !== null) return <Note tone="error">{problem}</Note>
  const shown = rows.slice(0, shownRows)
  return (
    <>
      <p className="small subtle">
        {`The first ${count(Math.min(shown.length, total))} of ${count(total)} rows. Check looks at all of them.`}
      </p>
      {/* It scrolls sideways, also by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above */}
      <section className={css.preview} aria-label="First rows" tabIndex={0}>
        <table>
          <caption className="visually-hidden">First rows</caption>
          <thead>
            <tr>
              {headings.map((heading, at) => (
                <th key={columnKey(heading, at)} scope="col" data-number={types[at] === 'number' || undefined}>
                  {heading}
                  <span className={css.type}>{typeWords[types[at] ?? 'text']}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // Rows may be alike, and none ever moves.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <tr key={index}>
                {headings.map((heading, at) => (
                  <td key={columnKey(heading, at)} data-number={types[at] === 'number' || undefined}>
                    {textOf(row[at] ?? null)}
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

/** Headings may be missing or come twice until the sheet is mended. */
function columnKey(heading: string, at: number): string {
  return `${at} ${heading}`
}
