import { Button, Checkbox, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useState } from 'react'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ProofTable } from './proof-table.tsx'
import type { ReadingProps } from './try-panel.tsx'
import { type ProofState, useProof } from './use-proof.ts'
import css from './workbench.module.css'

export function ProvePanel({ text, streams, settings, isCurrent }: ReadingProps) {
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const [isLive, setLive] = useState(true)
  const proof = useProof(settings.form.showErrors)
  const chosen = streams.filter((stream) => !leftOut.has(stream))
  const isRunning = proof.state !== null && proof.state.current !== null
  const start = () => {
    if (isLive && !settings.form.validate()) return
    proof.start({ text, streams: chosen, values: isLive ? settings.values : null })
  }
  return (
    <Panel title="Prove">
      <p className="muted">
        Checks paging, types, order and limits on the live account with calls that only read, and ties, late commits,
        deletes, cuts and kills on a simulated API that is made from the description.
      </p>
      {streams.length === 0 ? (
        <p>The description names no stream. Add the sets that you need below sets, and check it again.</p>
      ) : null}
      {streams.length > 1 ? (
        <Checkbox.Group
          label="Streams"
          value={chosen}
          onChange={(kept) => setLeftOut(new Set(streams.filter((stream) => !kept.includes(stream))))}
        >
          <div className={css.streams}>
            {streams.map((stream) => (
              <Checkbox key={stream} value={stream} label={stream} disabled={isRunning} />
            ))}
          </div>
        </Checkbox.Group>
      ) : null}
      <Checkbox
        label="Call the live account"
        description="Without it nothing is called, and nothing is proven live."
        checked={isLive}
        disabled={isRunning}
        onChange={(event) => setLive(event.currentTarget.checked)}
      />
      <div className={css.buttons}>
        <Button loading={isRunning} disabled={!isCurrent || chosen.length === 0} onClick={start}>
          Prove
        </Button>
        {isRunning ? (
          <Button variant="default" onClick={proof.stop}>
            Stop
          </Button>
        ) : null}
      </div>
      {proof.state === null ? null : <ProofOutcome state={proof.state} />}
    </Panel>
  )
}

const places = { live: 'on the live account', simulated: 'on the simulated API' }

function ProofOutcome({ state }: { readonly state: ProofState }) {
  const { proofs, current, done, total, ended } = state
  const progress = current === null ? '' : `${done + 1} of ${total}: ${current.stream}, ${places[current.kind]}`
  return (
    <>
      <output className="small">{progress}</output>
      {current === null ? null : <Progress value={(100 * done) / total} aria-label="Progress of the proof" />}
      {ended === null ? null : (
        <Callout tone="warn" title={`Ended at ${ended.step.stream}, ${places[ended.step.kind]}`} isAlert>
          <p>{ended.reason}</p>
          <p>What was found before is below. Correct the settings or the description, then choose Prove again.</p>
        </Callout>
      )}
      {proofs.length === 0 ? null : <ProofTable proofs={proofs} isComplete={current === null && ended === null} />}
    </>
  )
}
