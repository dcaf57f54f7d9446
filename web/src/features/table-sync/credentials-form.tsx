/** Database Credentials: the database of the organisation's tables. Tests, saves and synchronises it. */
import type { DatabaseCredentials } from '@tributary/contract/table-sync'
import { Button } from '@mantine/core'
import { IconPlugConnected, IconRefresh } from '@tabler/icons-react'
import { ConnectionChecks } from '../../domain/databases/connection-checks.tsx'
import {
  databaseFieldRules,
  CredentialsFields,
  pickCredentials,
} from '../../domain/databases/database-credentials-fields.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { type FormState, useForm } from '../../ui/forms/use-form.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { tableSyncErrorMessage, useCheckDatabase, useSaveDatabase, useSynchroniseTables } from './api.ts'
import css from './table-sync.module.css'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

/** Saves only credentials that pass the test, unless the user confirms with Save anyway. */
function useDatabaseCredentials(stored: DatabaseCredentials) {
  const form = useForm(pickCredentials(stored), databaseFieldRules)
  const save = useSaveDatabase((saved) => form.setValues(pickCredentials(saved)))
  const check = useCheckDatabase()
  const synchronise = useSynchroniseTables()
  const fail = (error: unknown) => form.showErrors(fieldErrorsOf(error))
  const saveAnyway = async () => (await save.mutateAsync(pickCredentials(form.values)).catch(fail)) !== undefined

  async function test(): Promise<boolean> {
    if (!form.validate()) return false
    const lines = await check.mutateAsync(pickCredentials(form.values)).catch(fail)
    return lines?.every(({ Outcome }) => Outcome === 'passed') === true
  }

  return {
    form,
    save,
    check,
    synchronise,
    test,
    saveAnyway,
    saveTested: async () => (await test()) && (await saveAnyway()),
    failure: save.error ?? check.error ?? synchronise.error,
    dismiss: () => [save, check, synchronise].forEach((each) => each.reset()),
  }
}

export function DatabaseCredentialsForm({ stored }: { stored: DatabaseCredentials }) {
  const { form, save, check, synchronise, failure, ...actions } = useDatabaseCredentials(stored)
  const hasFailed = check.data?.some(({ Outcome }) => Outcome === 'failed') === true

  async function synchroniseAll() {
    if (!hasChanged(form, stored) || (await actions.saveTested())) synchronise.mutate()
  }

  return (
    <Panel title="Database Credentials">
      <Callout tone="info">
        These credentials are for the entire organisation and not per user. These SQL credentials will be used to write
        data to your database
      </Callout>
      <p className="small subtle">
        Leave everything empty to keep the tables in Tributary’s own warehouse. Connectors whose rows Tributary stores
        also write to this database.
      </p>
      <ErrorBanner message={failure === null ? null : tableSyncErrorMessage(failure)} onDismiss={actions.dismiss} />
      <form
        noValidate
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void actions.saveTested()
        }}
      >
        <CredentialsFields form={form} labels={{ database: 'Database', user: 'Username' }} />
        <div className={css.actions}>
          <Button
            variant="default"
            leftSection={<IconPlugConnected />}
            loading={check.isPending}
            onClick={() => void actions.test()}
          >
            Test connection
          </Button>
          <Button type="submit" variant="default" loading={save.isPending}>
            Save
          </Button>
          <Button leftSection={<IconRefresh />} loading={synchronise.isPending} onClick={() => void synchroniseAll()}>
            Synchronise
          </Button>
        </div>
      </form>
      {check.data === undefined ? null : <ConnectionChecks checks={check.data} />}
      {hasFailed && hasChanged(form, stored) ? (
        <div>
          <Button variant="default" loading={save.isPending} onClick={() => void actions.saveAnyway()}>
            Save anyway
          </Button>
        </div>
      ) : null}
      <SavedBy stored={stored} />
    </Panel>
  )
}

function SavedBy({ stored: { savedBy, savedAtUtc } }: { stored: DatabaseCredentials }) {
  if (savedAtUtc === null) return null
  return (
    <p className="small subtle">
      Saved <RelativeTime at={savedAtUtc} />
      {savedBy === null ? null : ` by ${savedBy}`}
    </p>
  )
}

function hasChanged({ values }: FormState, stored: DatabaseCredentials): boolean {
  return Object.entries(pickCredentials(stored)).some(([name, value]) => values[name] !== value)
}
