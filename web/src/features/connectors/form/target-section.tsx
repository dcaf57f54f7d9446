import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { SelectField } from '../../../ui/forms/choice-fields.tsx'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import type { FormState } from '../../../ui/forms/use-form.ts'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { SectionFields } from './section-fields.tsx'
import { asksForSchema, targetFields, targetKind, findTarget, targetSchema, valuesForKind } from './settings-form.ts'

const schemaWords = {
  label: 'Schema',
  help: 'The tables are created in this schema; MySQL prefixes their names with it.',
}
const namespaceWords = {
  label: 'Namespace',
  help: 'The tables are created in this namespace of the catalog. Points separate its levels.',
}

/** 'Connection': the target database. If it is empty, Tributary stores the data. */
export function TargetSection({ type, form }: { type: ConnectorType; form: FormState }) {
  const kind = form.values[targetKind]
  const fields = targetFields(type, kind)
  const choices = [
    { value: '', label: 'Tributary stores the data' },
    ...type.Targets.map(({ Kind, Title }) => ({ value: Kind, label: Title })),
  ]
  const field = {
    ...form.bind(targetKind),
    onChange: (next: string) => form.setValues(valuesForKind(type, form.values, next)),
  }
  return (
    <>
      <SectionFields title="Connection" help={findTarget(type, kind)?.Section.Help ?? null} fields={fields} form={form}>
        <SelectField field={field} label="Where the rows go" choices={choices} />
        {kind === '' ? (
          <Callout tone="info" title="Tributary stores the data for you">
            In a PostgreSQL database of your organisation, with a login that may only read. After saving, ‘Connect your
            reports’ on the connector’s page shows host, user and password, and has a file that opens it in Power BI.
            Where your organisation has set its own database under Excel, Configure, the rows go there instead.
          </Callout>
        ) : null}
      </SectionFields>
      {asksForSchema(fields) ? (
        <TextField field={form.bind(targetSchema)} {...(kind === 'iceberg' ? namespaceWords : schemaWords)} />
      ) : null}
    </>
  )
}
