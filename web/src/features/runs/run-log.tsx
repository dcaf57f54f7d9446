import type { RunDetail } from '@tributary/contract/runs'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useClock } from '../../domain/time/use-organisation-clock.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import css from './runs.module.css'

type Line = RunDetail['Lines'][number]
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

const levels = {
  all: { label: 'All lines', has: ['info', 'warn', 'error'] },
  warn: { label: 'Warnings and errors', has: ['warn', 'error'] },
  error: { label: 'Errors', has: ['error'] },
} satisfies Record<string, { label: string; has: Line['Level'][] }>
type Level = keyof typeof levels

/** The log of the run, as text that can be narrowed and copied. */
export function RunLines({ lines }: { lines: readonly Line[] }) {
  const [level, setLevel] = useState<Level>('all')
  const tell = useClock(time)
  const wanted: readonly Line['Level'][] = levels[level].has
  const shown = lines.filter(({ Level }) => wanted.includes(Level))
  return (
    <section className={css.part} aria-labelledby="run-log">
      <div className={css.partHead}>
        <h3 id="run-log">Log</h3>
        <div className={css.partTools}>
          <NativeSelect
            aria-label="Lines of the log"
            size="xs"
            value={level}
            data={Object.entries(levels).map(([value, { label }]) => ({ value, label }))}
            onChange={(event) => setLevel(event.currentTarget.value as Level)}
          />
          <CopyButton text={shown.map(({ AtUtc, Level, Text }) => `${AtUtc} ${Level} ${Text}`).join('\n')} what="log" />
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key to be scrolled by key. */}
      <ol className={css.log} tabIndex={0} aria-labelledby="run-log">
        {shown.map((line, index) => (
          <li key={`${line.AtUtc} ${index}`} data-level={line.Level}>
            <time dateTime={line.AtUtc}>{tell(line.AtUtc)}</time>
            <span>
              {line.Level === 'info' ? line.Text : `${line.Level === 'warn' ? 'Warning' : 'Error'}: ${line.Text}`}
            </span>
          </li>
        ))}
        {shown.length === 0 ? <li>No such line.</li> : null}
      </ol>
    </section>
  )
}
