/** The state of every connector that the user may see, below what needs someone. */
import type { Overview } from '@tributary/contract/overview'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { describeCounts } from '../../domain/ready-by/promise-words.ts'
import { DayStripLegend } from './day-strip.tsx'
import { IncidentList } from './incident-list.tsx'
import { OverviewRows } from './overview-rows.tsx'
import css from './overview.module.css'
import type { StateGroup } from './overview-states.ts'
import { StateFilter } from './state-filter.tsx'

export function OverviewSection({ overview: { Connectors, Incidents, Promises } }: { overview: Overview }) {
  if (Connectors.length === 0 && Incidents.length === 0) return null
  return (
    <section className={css.overview} aria-labelledby="overview">
      <h2 id="overview">Overview</h2>
      <IncidentList incidents={Incidents} connectors={Connectors} />
      {Promises === null ? null : (
        <p className="small subtle">{`Ready by: ${describeCounts(Promises).toLowerCase()}.`}</p>
      )}
      {Connectors.length === 0 ? null : <ConnectorStates connectors={Connectors} />}
    </section>
  )
}

function ConnectorStates({ connectors }: { connectors: Overview['Connectors'] }) {
  const [group, setGroup] = useState<StateGroup | null>(null)
  const [layout, setLayout] = useState<'strips' | 'table'>('strips')
  return (
    <>
      <div className={css.tools}>
        <StateFilter connectors={connectors} group={group} onGroup={setGroup} />
        <Button
          variant={layout === 'table' ? 'default' : 'subtle'}
          size="compact-sm"
          aria-pressed={layout === 'table'}
          onClick={() => setLayout(layout === 'table' ? 'strips' : 'table')}
        >
          Table of days
        </Button>
      </div>
      <OverviewRows key={group} connectors={connectors} group={group} layout={layout} />
      {layout === 'table' ? null : <DayStripLegend />}
    </>
  )
}
