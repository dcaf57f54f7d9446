/** In a trial: fills the form with the simulated source, or creates a connector that moves it into Iceberg tables in a folder. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { Button } from '@mantine/core'
import type { FormState, FormValues } from '../../../ui/forms/use-form.ts'
import css from '../connectors.module.css'
import { findTarget, formValues, sectionFields, valuesForKind } from './settings-form.ts'
import { withTablesScope } from './use-connector-form.ts'

/** The kind of target. */
const lake = 'iceberg'

interface DemoSourceProps {
  readonly type: ConnectorType
  readonly form: FormState
  /** Null: the connector exists. */
  readonly onSaveLake: ((values: FormValues) => void) | null
}

export function DemoSource({ type, form, onSaveLake }: DemoSourceProps) {
  const demo = { ...form.values, ...withTablesScope(type, formValues(type, type.Demo ?? {})) }
  const saveLake = () => {
    const values = valuesForKind(type, demo, lake)
    form.setValues(values)
    onSaveLake?.(values)
  }
  const isLakeOffered = onSaveLake !== null && offersFolder(type)
  return (
    <div className={css.demo}>
      <span>
        Trial: a simulated {type.Title} runs on this computer.
        {isLakeOffered ? ' Fill this form with it, or load it at once into Iceberg tables in a folder.' : null}
      </span>
      <div className={css.demoButtons}>
        <Button variant="default" size="compact-md" onClick={() => form.setValues(demo)}>
          Fill with demo source
        </Button>
        {isLakeOffered ? (
          <Button variant="default" size="compact-md" onClick={saveLake}>
            Load into Iceberg tables
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** Whether the server offers a folder for Iceberg tables, which needs neither catalog nor storage: only then the address has an initial value. */
function offersFolder(type: ConnectorType): boolean {
  const target = findTarget(type, lake)
  return (target === undefined ? [] : sectionFields(target.Section)).some(
    ({ key, field }) => key === 'uri' && field.Initial !== null,
  )
}
