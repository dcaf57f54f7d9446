import type { RunDetail } from '@tributary/contract/runs'
import { CopyButton } from '../../ui/copy-button.tsx'
import css from './runs.module.css'

type Lines = RunDetail['Lines']
const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The log of the run, as text that can be copied. */
export function RunLines({ lines }: { lines: Lines }) {
  return (
    <section className={css.part} aria-labelledby="run-log">
      <div className={css.partHead}>
        <h3 id="run-log">Log</h3>
        <CopyButton text={lines.map(({ AtUtc, Level, Text }) => `${AtUtc} ${Level} ${Text}`).join('\n')} what="log" />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key to be scrolled by key. */}
      <ol className={css.log} tabIndex={0} aria-labelledby="run-log">
        {lines.map((line, index) => (
          <li key={`${line.AtUtc} ${index}`} data-level={line.Level}>
            <time dateTime={line.AtUtc}>{times.format(Date.parse(line.AtUtc))}</time>
            <span>{line.Level === 'info' ? line.Text : `${line.Level === 'warn' ? 'Warning' : 'Error'}: ${line.Text}`}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
