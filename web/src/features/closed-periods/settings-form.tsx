import type { ClosedPeriods } from '@tributary/contract/closed-periods'
import { useState } from 'react'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { SwitchField } from '../../ui/forms/choice-fields.tsx'
import { LazyDateField } from '../../ui/forms/lazy-date-field.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, useForm } from '../../ui/forms/use-form.ts'
import { type ClosedPeriodSettings, useSaveClosedPeriods } from './api.ts'
import { SmallForm, trimmed } from './small-form.tsx'

interface SettingsFormProps {
  readonly ids: ConnectorParams
  readonly state: ClosedPeriods
}

export function SettingsForm({ ids, state }: SettingsFormProps) {
  const { HasLedger, ReportsLockDates } = state
  const save = useSaveClosedPeriods(ids)
  const [date, setDate] = useState(state.AdministratorDate ?? '')
  const form = useForm(initialValues(state), ({ isOn }) => rulesOf(HasLedger || isOn !== true))
  return (
    <SmallForm
      form={form}
      mutation={save}
      body={() => settingsOf(form, { date, hasLedger: HasLedger })}
      submit={{ label: 'Save' }}
    >
      <SwitchField
        field={form.bindSwitch('isOn')}
        label="List changes in closed periods"
        help="Keeps the history of the tables that the comparison needs in your target. History starts with the next run."
      />
      <LazyDateField
        label="Closed up to"
        description={
          ReportsLockDates
            ? 'Leave it empty to use the lock dates of the source. The later day counts.'
            : 'The last day of the last month that is closed.'
        }
        value={date}
        onChange={setDate}
      />
      {HasLedger ? null : <TableFields form={form} />}
    </SmallForm>
  )
}

function initialValues({ IsOn, Table }: ClosedPeriods) {
  return {
    isOn: IsOn,
    stream: Table?.Stream ?? '',
    dateColumn: Table?.DateColumn ?? '',
    numberColumn: Table?.NumberColumn ?? '',
    accountColumn: Table?.AccountColumn ?? '',
    amountColumn: Table?.AmountColumn ?? '',
  }
}

/** @param needsNoTable the source has a ledger, or closed periods are off */
function rulesOf(needsNoTable: boolean) {
  return {
    stream: { isOptional: needsNoTable },
    dateColumn: { isOptional: needsNoTable },
    numberColumn: { isOptional: true },
    accountColumn: { isOptional: true },
    amountColumn: { isOptional: true },
  }
}

/** Of a source without a ledger: the table whose rows are compared. */
function TableFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField
        field={form.bind('stream')}
        label="Table"
        help="The name as in the list of tables, such as public.invoice."
        isRequired
      />
      <TextField
        field={form.bind('dateColumn')}
        label="Date column"
        help="Decides to which month a row belongs."
        isRequired
      />
      <TextField
        field={form.bind('numberColumn')}
        label="Document number column"
        help="Rows with the same number are one document. Empty: each row is one."
      />
      <TextField
        field={form.bind('accountColumn')}
        label="Account column"
        help="Empty: amounts are not split by account."
      />
      <TextField
        field={form.bind('amountColumn')}
        label="Amount column"
        help="Empty: changed rows are listed without an amount."
      />
    </>
  )
}

function settingsOf(
  form: FormState,
  { date, hasLedger }: { readonly date: string; readonly hasLedger: boolean },
): ClosedPeriodSettings {
  const text = (name: string): string | null => {
    const value = trimmed(form, name)
    return value === '' ? null : value
  }
  const [stream, dateColumn] = [text('stream'), text('dateColumn')]
  return {
    isOn: form.values['isOn'] === true,
    administratorDate: date === '' ? null : date,
    table:
      hasLedger || stream === null || dateColumn === null
        ? null
        : {
            stream,
            dateColumn,
            numberColumn: text('numberColumn'),
            accountColumn: text('accountColumn'),
            amountColumn: text('amountColumn'),
          },
  }
}
