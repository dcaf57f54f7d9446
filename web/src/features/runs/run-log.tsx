import type { RunDetail } from '@tributary/contract/runs'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import css from './runs.module.css'
import { formatMoment } from '../../ui/formats.ts'

type RunLogLine = RunDetail['Lines'][number]

const levelFilters = {
  all: { label: 'All lines', has: ['info', 'warn', 'error'] },
  warn: { label: 'Warnings and errors', has: ['warn', 'error'] },
  error: { label: 'Errors', has: ['error'] },
} satisfies Record<string, { label: string; has: RunLogLine['Level'][] }>
type LevelFilter = keyof typeof levelFilters

/** Log of the run; can be filtered by level and copied. */
export function RunLog({ lines }: { lines: readonly RunLogLine[] }) {
  const [level, setLevel] = useState<LevelFilter>('all')
  const shownLevels: readonly RunLogLine['Level'][] = levelFilters[level].has
  const shown = lines.filter(({ Level }) => shownLevels.includes(Level))
  return (
    <DrawerSection
      title="Log"
      aside={
        <div className={css.partTools}>
          <NativeSelect
            aria-label="Lines of the log"
            size="xs"
            value={level}
            data={Object.entries(levelFilters).map(([value, { label }]) => ({ value, label }))}
            onChange={(event) => setLevel(event.currentTarget.value as LevelFilter)}
          />
          <CopyButton text={shown.map(({ AtUtc, Level, Text }) => `${AtUtc} ${Level} ${Text}`).join('\n')} what="log" />
        </div>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key to be scrolled by key. */}
      <ol className={css.log} tabIndex={0} aria-label="Log">
        {shown.map((line, index) => (
          <li key={`${line.AtUtc} ${index}`} data-level={line.Level}>
            <time dateTime={line.AtUtc}>{formatMoment(line.AtUtc, 'seconds')}</time>
            <span>
              {line.Level === 'info' ? line.Text : `${line.Level === 'warn' ? 'Warning' : 'Error'}: ${line.Text}`}
            </span>
          </li>
        ))}
        {shown.length === 0 ? <li>No log lines at this level.</li> : null}
      </ol>
    </DrawerSection>
  )
}
