/** The fields of a connector, in the order of setting it up: name, source, tables, target, schedule. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import type { OfferedTable } from '@tributary/contract/streams'
import { useMay } from '../../../api/session/workspace.ts'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import type { FormState, FormValues } from '../../../ui/forms/use-form.ts'
import { DescriptionList } from '../../../ui/layout/panel.tsx'
import { AuthorisationSection } from '../authorisation/authorisation-section.tsx'
import { DemoSource } from './demo-source.tsx'
import { SchemaChangePolicyFields } from './schema-change-policy.tsx'
import { ScheduleFields } from '../schedule/schedule-fields.tsx'
import { isFieldVisible, SectionFields } from './section-fields.tsx'
import { sectionFields } from './settings-form.ts'
import { isTreeField } from '../tables/table-selection-fields.ts'
import { TablesSection } from '../tables/tables-section.tsx'
import { TargetSection } from './target-section.tsx'
import type { FieldToFocus } from './use-connector-form.ts'

interface ConnectorFieldsProps {
  readonly type: ConnectorType
  readonly connector: Connector | null
  readonly form: FormState
  readonly first: FieldToFocus | undefined
  /** Saves these values as a new connector. */
  readonly onSaveLake: (values: FormValues) => void
  readonly tables: {
    readonly offered: readonly OfferedTable[] | null
    readonly isDiscovering: boolean
    readonly onDiscover: () => void
  }
}

export function ConnectorFields({ type, connector, form, first, onSaveLake, tables }: ConnectorFieldsProps) {
  const may = useMay()
  return (
    <>
      {connector?.Status !== 'CONNECTED' && type.Demo !== null ? (
        <DemoSource type={type} form={form} onSaveLake={connector === null ? onSaveLake : null} />
      ) : null}
      <TextField
        field={form.bind('name')}
        label="Name"
        hasFocus={first === undefined}
        help="The name of this connector in Tributary."
        isRequired
      />
      {connector !== null && may('seeConnectorKey') ? (
        <DescriptionList items={[{ label: 'Key', value: connector.Key, isCode: true }]} />
      ) : null}
      {type.RequiresAuthorisation && connector !== null ? <AuthorisationSection connector={connector} /> : null}
      {visibleSections(type, form).map((section) => (
        <SectionFields
          key={section.Title}
          title={section.Title}
          help={section.Help}
          fields={sectionFields(section).filter((field) => !isTreeField(field))}
          form={form}
          first={first}
        />
      ))}
      <TablesSection type={type} form={form} {...tables} />
      <TargetSection type={type} form={form} />
      <ScheduleFields form={form} mayEdit={may('editSchedule')} />
      <SchemaChangePolicyFields form={form} />
    </>
  )
}

/**
 * The type's sections. With OAuth a section without visible fields is left out, because the authorisation section
 * replaces it.
 */
function visibleSections(type: ConnectorType, form: FormState): ConnectorType['Sections'] {
  if (!type.RequiresAuthorisation) return type.Sections
  return type.Sections.filter((section) => sectionFields(section).some((field) => isFieldVisible(field, form)))
}
