import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import type { Form } from '../../ui/forms/form.ts'
import { Facts } from '../../ui/layout/panel.tsx'
import css from './authorisations.module.css'
import type { Way } from './authorisation-methods.ts'

interface AppFieldsProps {
  readonly type: ConnectorType
  readonly way: Way
  readonly form: Form
  readonly redirectAddress: string | undefined
}

/** What the source gave whoever registered the app there. */
export function AppFields({ type: { Title }, way, form, redirectAddress }: AppFieldsProps) {
  return (
    <section className={css.part} aria-label={way === 'machine' ? 'Custom connection' : 'App'}>
      {way === 'machine' ? (
        <p className="small muted">
          Make the custom connection at {Title}, have it authorised there, and copy here what it is given.
        </p>
      ) : (
        <>
          <p className="small muted">
            Register an app at {Title} with this redirect address, and copy here what it is given.
          </p>
          {redirectAddress === undefined ? null : (
            <Facts facts={[{ label: 'Redirect address', value: redirectAddress, isCode: true }]} />
          )}
        </>
      )}
      <TextField field={form.text('clientId')} label="Client id" isRequired />
      <PasswordField field={form.text('clientSecret')} label="Client secret" autoComplete="new-password" isRequired />
    </section>
  )
}
