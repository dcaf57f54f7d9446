/** When the tables of a connector are verified: by a schedule, and for a while after each run. */
import type { VerificationSettings } from '@tributary/contract/verifications'
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { describeSchedule } from '../../domain/schedules/schedule.ts'
import { ScheduledTime } from '../../domain/time/relative-time.tsx'
import { verificationKey } from './api.ts'
import css from './verifications.module.css'

interface VerificationSettingsFormProps {
  readonly ids: ConnectorParams
  readonly settings: VerificationSettings
  readonly mayEdit: boolean
}

const schedules = ['0 2 * * 0', '0 2 * * 6', '0 2 * * *']
const none = ''

const budgets: readonly { readonly value: string; readonly label: string }[] = [
  { value: '0', label: 'Not after runs' },
  { value: '20', label: 'Up to 20 seconds' },
  { value: '60', label: 'Up to 1 minute' },
  { value: '300', label: 'Up to 5 minutes' },
  { value: '1800', label: 'Up to 30 minutes' },
]

export function VerificationSettingsForm({ ids, settings, mayEdit }: VerificationSettingsFormProps) {
  const { Schedule, TimeZone, NextAtUtc, SecondsAfterRuns } = settings
  const [schedule, setSchedule] = useState(Schedule ?? none)
  const [seconds, setSeconds] = useState(String(SecondsAfterRuns))
  const save = useSaveSettings(ids)
  const isChanged = schedule !== (Schedule ?? none) || seconds !== String(SecondsAfterRuns)
  const own = Schedule === null || schedules.includes(Schedule) ? [] : [Schedule]
  const next =
    NextAtUtc === null ? null : (
      <p className="small muted">
        Next <ScheduledTime at={NextAtUtc} timeZone={TimeZone} />. A run that moves rows goes first.
      </p>
    )
  if (!mayEdit)
    return (
      <>
        <p>{Schedule === null ? 'After runs only.' : `All tables: ${describeSchedule(Schedule, TimeZone)}.`}</p>
        {next}
      </>
    )
  return (
    <form
      className={css.settings}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ schedule: schedule === none ? null : schedule, secondsAfterRuns: Number(seconds) })
      }}
    >
      <MutationError of={save} />
      <NativeSelect
        label="All tables"
        value={schedule}
        onChange={(event) => setSchedule(event.currentTarget.value)}
        data={[
          ...[...schedules, ...own].map((cron) => ({ value: cron, label: describeSchedule(cron, TimeZone) })),
          { value: none, label: 'Only when asked' },
        ]}
      />
      <NativeSelect
        label="After each run"
        description="For so long, the tables that were verified longest ago, after the rows are committed."
        value={seconds}
        onChange={(event) => setSeconds(event.currentTarget.value)}
        data={
          budgets.some(({ value }) => value === String(SecondsAfterRuns))
            ? budgets
            : [...budgets, { value: String(SecondsAfterRuns), label: `Up to ${SecondsAfterRuns} seconds` }]
        }
      />
      {next}
      <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
        Save
      </Button>
    </form>
  )
}

function useSaveSettings({ clientId, connectorId }: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: { schedule: string | null; secondsAfterRuns: number }) =>
      call('PUT /tributary/clients/:clientId/connectors/:connectorId/verification/settings', {
        params: { clientId, connectorId },
        body,
      }),
    onSuccess: () => invalidate({ queryKey: verificationKey({ clientId, connectorId }) }),
  })
}
