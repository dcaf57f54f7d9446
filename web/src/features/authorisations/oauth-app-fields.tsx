import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import type { FormState } from '../../ui/forms/use-form.ts'
import { DescriptionList } from '../../ui/layout/panel.tsx'
import css from './authorisations.module.css'
import type { AuthorisationMethod } from './authorisation-methods.ts'

interface OauthAppFieldsProps {
  readonly type: ConnectorType
  readonly method: AuthorisationMethod
  readonly form: FormState
  readonly redirectAddress: string | undefined
}

/** Client id and secret that the source issued for a registered app. */
export function OauthAppFields({ type: { Title }, method, form, redirectAddress }: OauthAppFieldsProps) {
  return (
    <section className={css.part} aria-label={method === 'machine' ? 'Custom connection' : 'App'}>
      {method === 'machine' ? (
        <p className="small muted">
          Create the custom connection at {Title}, have it authorised there, and copy its client id and secret here.
        </p>
      ) : (
        <>
          <p className="small muted">
            Register an app at {Title} with this redirect address, and copy its client id and secret here.
          </p>
          {redirectAddress === undefined ? null : (
            <DescriptionList items={[{ label: 'Redirect address', value: redirectAddress, isCode: true }]} />
          )}
        </>
      )}
      <TextField field={form.bind('clientId')} label="Client id" isRequired />
      <PasswordField field={form.bind('clientSecret')} label="Client secret" autoComplete="new-password" isRequired />
    </section>
  )
}
