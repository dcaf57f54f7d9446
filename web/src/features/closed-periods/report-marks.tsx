/** What was marked as reported, and the form that marks it. */
import type { ReportMark } from '@tributary/contract/report-marks'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { LazyDateField } from '../../ui/forms/lazy-date-field.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { formatDay } from '../../ui/formats.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { reportMarkList, useMarkReported, useSupersede } from './api.ts'
import css from './closed-periods.module.css'

export function ReportMarks({ ids, mayEdit }: { ids: ConnectorParams; mayEdit: boolean }) {
  return (
    <DrawerSection title="Marked as reported">
      <p className="small muted">
        Views in your target show the general ledger and the trial balance of a mark as they were, whatever changes
        later. A mark never changes; it can only be superseded.
      </p>
      {mayEdit ? <MarkForm ids={ids} /> : null}
      <QueryResult query={useQuery(reportMarkList(ids))}>
        {(marks) =>
          marks.length === 0 ? (
            <p>Nothing is marked yet.</p>
          ) : (
            <ul className={css.states} aria-label="Marks, latest first">
              {marks.map((mark) => (
                <MarkItem key={mark.Id} ids={ids} mark={mark} mayEdit={mayEdit} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </DrawerSection>
  )
}

function MarkForm({ ids }: { ids: ConnectorParams }) {
  const form = useForm({ name: '' })
  const [day, setDay] = useState('')
  const mark = useMarkReported(ids)
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.validate() || day === '') return
        mark.mutate(
          { name: String(form.values['name'] ?? '').trim(), periodEnd: day },
          {
            onSuccess: () => form.setValues({ name: '' }),
            onError: (error) => form.showErrors(fieldErrorsOf(error)),
          },
        )
      }}
    >
      <MutationError of={mark} />
      <TextField field={form.bind('name')} label="Name" placeholder="June 2026, board pack" isRequired />
      <LazyDateField
        label="Last reported day"
        description="Documents up to this day count as closed."
        value={day}
        onChange={setDay}
      />
      <div className={css.actions}>
        <Button type="submit" variant="default" disabled={day === ''} loading={mark.isPending}>
          Mark the last examined run as reported
        </Button>
      </div>
    </form>
  )
}

interface MarkItemProps {
  readonly ids: ConnectorParams
  readonly mark: ReportMark
  readonly mayEdit: boolean
}

function MarkItem({ ids, mark, mayEdit }: MarkItemProps) {
  const { Name, PeriodEnd, MomentUtc, CreatedBy, Views, Notice, SupersededAtUtc, SupersededBy, Reason } = mark
  return (
    <li className={css.document}>
      <strong>{Name}</strong>
      <span>
        {`Up to ${formatDay(PeriodEnd, 'longDate')}, as of the run of `}
        <RelativeTime at={MomentUtc} />
        {`, marked by ${CreatedBy}`}
      </span>
      {Notice === null ? null : <Callout tone="warn">{Notice}</Callout>}
      {Views.length === 0 ? (
        <span className={css.note}>The next run creates its views.</span>
      ) : (
        Views.map((view) => <code key={view}>{view}</code>)
      )}
      {SupersededAtUtc === null ? null : (
        <span>
          Superseded <RelativeTime at={SupersededAtUtc} />
          {` by ${SupersededBy ?? 'an administrator'}: ${Reason ?? ''}`}
        </span>
      )}
      {mayEdit && SupersededAtUtc === null ? <SupersedeForm ids={ids} mark={mark} /> : null}
    </li>
  )
}

function SupersedeForm({ ids, mark }: { ids: ConnectorParams; mark: ReportMark }) {
  const form = useForm({ reason: '' })
  const [isOpen, setOpen] = useState(false)
  const supersede = useSupersede(ids)
  if (!isOpen)
    return (
      <Button variant="default" size="compact-sm" aria-label={`Supersede ${mark.Name}`} onClick={() => setOpen(true)}>
        Supersede
      </Button>
    )
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (form.validate())
          supersede.mutate(
            { markId: mark.Id, reason: String(form.values['reason'] ?? '').trim() },
            { onError: (error) => form.showErrors(fieldErrorsOf(error)) },
          )
      }}
    >
      <MutationError of={supersede} />
      <TextField
        field={form.bind('reason')}
        label="Why it is superseded"
        help="It stays listed, and its views stay."
        isRequired
        hasFocus
      />
      <div className={css.actions}>
        <Button variant="default" onClick={() => setOpen(false)}>
          Keep it
        </Button>
        <Button type="submit" color="red" loading={supersede.isPending}>
          Supersede
        </Button>
      </div>
    </form>
  )
}
