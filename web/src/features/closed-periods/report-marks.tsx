/** What was marked as reported, and the form that marks it. */
import type { ReportMark } from '@tributary/contract/report-marks'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { CertifyButton } from '../../domain/certificates/certify-button.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { LazyDateField } from '../../ui/forms/lazy-date-field.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { formatCount, formatDay, formatMoment } from '../../ui/formats.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { reportMarkList, useMarkReported, useSupersede } from './api.ts'
import css from './closed-periods.module.css'
import { SmallForm, trimmed } from './small-form.tsx'

interface ReportMarksProps {
  readonly ids: ConnectorParams
  readonly mayEdit: boolean
  /** If not, the views of a mark show the tables of the source. */
  readonly hasLedger: boolean
}

export function ReportMarks({ ids, mayEdit, hasLedger }: ReportMarksProps) {
  return (
    <DrawerSection title="Marked as reported">
      <p className="small muted">
        {`Views in your target show ${hasLedger ? 'the general ledger and the trial balance of a mark' : 'each table that keeps history'} as ${hasLedger ? 'they were' : 'it was'}, whatever changes later. `}
        A mark never changes; it can only be superseded.
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
  return (
    <SmallForm
      form={form}
      mutation={useMarkReported(ids)}
      body={() => ({ name: trimmed(form, 'name'), periodEnd: day })}
      onSuccess={() => {
        form.setValues({ name: '' })
        setDay('')
      }}
      submit={{ label: 'Mark the last examined run as reported', variant: 'default', disabled: day === '' }}
    >
      <TextField field={form.bind('name')} label="Name" placeholder="June 2026, board pack" isRequired />
      <LazyDateField
        label="Last reported day"
        description="Documents up to this day count as closed."
        value={day}
        onChange={setDay}
      />
    </SmallForm>
  )
}

interface MarkItemProps {
  readonly ids: ConnectorParams
  readonly mark: ReportMark
  readonly mayEdit: boolean
}

function MarkItem({ ids, mark, mayEdit }: MarkItemProps) {
  const {
    Name,
    PeriodEnd,
    MomentUtc,
    CreatedBy,
    Views,
    Notice,
    SupersededAtUtc,
    SupersededBy,
    Reason,
    Erasures,
    Holds,
  } = mark
  return (
    <li className={css.document}>
      <strong>{Name}</strong>
      <span>
        {`Up to ${formatDay(PeriodEnd, 'longDate')}, as of the run of ${formatMoment(MomentUtc, 'dateTime')}, marked by ${CreatedBy}`}
      </span>
      {Notice === null ? null : <Callout tone="warn">{Notice}</Callout>}
      {Views.length === 0 ? (
        <span className={css.note}>The next run creates its views.</span>
      ) : (
        Views.map((view) => <code key={view}>{view}</code>)
      )}
      {Holds.length === 0 ? null : (
        <span className={css.note}>
          {`Kept for this mark despite retention: ${Holds.map(({ Table, RetentionDays }) => `${Table} (${RetentionDays} ${RetentionDays === 1 ? 'day' : 'days'})`).join(', ')}`}
        </span>
      )}
      {Erasures.map((erasure) => (
        <span key={erasure.AtUtc}>{describeErasure(erasure)}</span>
      ))}
      {SupersededAtUtc === null ? null : (
        <span>
          Superseded <RelativeTime at={SupersededAtUtc} />
          {` by ${SupersededBy ?? 'an administrator'}: ${Reason ?? ''}`}
        </span>
      )}
      <div className={css.actions}>
        <CertifyButton
          label={`Certificate of ${Name}`}
          isSmall
          issue={() =>
            call('POST /tributary/clients/:clientId/connectors/:connectorId/report-marks/:markId/certificate', {
              params: { ...ids, markId: mark.Id },
            })
          }
        />
        {mayEdit && SupersededAtUtc === null ? <SupersedeForm ids={ids} mark={mark} /> : null}
      </div>
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
    <SmallForm
      form={form}
      mutation={supersede}
      body={() => ({ markId: mark.Id, reason: trimmed(form, 'reason') })}
      submit={{ label: 'Supersede', color: 'red' }}
      otherButtons={
        <Button variant="default" onClick={() => setOpen(false)}>
          Keep it
        </Button>
      }
    >
      <TextField
        field={form.bind('reason')}
        label="Why it is superseded"
        help="It stays listed, and its views stay."
        isRequired
        hasFocus
      />
    </SmallForm>
  )
}

function describeErasure({ Versions, AtUtc, By, IsConfirmed }: ReportMark['Erasures'][number]): string {
  const rows = `${formatCount(Versions)} ${Versions === 1 ? 'row' : 'rows'}`
  const when = `on ${formatMoment(AtUtc, 'date')} by ${By}`
  if (IsConfirmed) return `${rows} redacted ${when}`
  return `${rows} may be redacted: the erasure that was requested by ${By} ended on ${formatMoment(AtUtc, 'date')} before it was confirmed. Erase the person again under History.`
}
