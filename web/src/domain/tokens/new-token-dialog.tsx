import { type TokenScope, tokenLimits, tokenScopeNames, tokenScopes } from '@tributary/contract/token-scopes'
import type { CreatedToken } from '@tributary/contract/tokens'
import { useState } from 'react'
import { useMutation } from '../../api/use-mutation.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { CheckboxList, SelectField } from '../../ui/forms/choice-fields.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { MutationDialog } from '../requests/mutation-dialog.tsx'
import { useRefreshTokens } from './token-queries.ts'
import { TokenSecretDialog } from './token-secret-dialog.tsx'
import css from './tokens.module.css'

export interface NewToken {
  readonly name: string
  readonly scopes: TokenScope[]
  readonly days: number
}

interface NewTokenDialogProps {
  /** For whom and for which organisation the token is. */
  subtitle: string
  /** Makes the token. */
  create: (token: NewToken) => Promise<CreatedToken>
  onClose: () => void
}

export const expiryChoices = [7, 30, tokenLimits.daysDefault, 180, tokenLimits.daysMax].map((days) => ({
  value: String(days),
  label: days === tokenLimits.daysMax ? 'After a year' : `After ${days} days`,
}))

/** Asks for name, scopes and expiry, then shows the new token once. */
export function NewTokenDialog({ subtitle, create, onClose }: NewTokenDialogProps) {
  const form = useForm({ name: '', days: String(tokenLimits.daysDefault) })
  const [scopes, setScopes] = useState<ReadonlySet<TokenScope>>(new Set())
  const [isMissing, setMissing] = useState(false)
  const refresh = useRefreshTokens()
  const submit = useMutation({
    mutationFn: () =>
      create({
        name: String(form.values['name']),
        scopes: tokenScopeNames.filter((scope) => scopes.has(scope)),
        days: Number(form.values['days']),
      }),
    onSuccess: refresh,
  })
  function toggle(scope: TokenScope) {
    setMissing(false)
    setScopes((current) => current.symmetricDifference(new Set([scope])))
  }
  function send() {
    const isValid = form.validate()
    setMissing(scopes.size === 0)
    if (isValid && scopes.size > 0) submit.mutate()
  }
  if (submit.data !== undefined) return <TokenSecretDialog created={submit.data} onClose={onClose} />
  return (
    <MutationDialog
      kind="drawer"
      title="New access token"
      subtitle={subtitle}
      mutation={submit}
      isDirty={form.isDirty || scopes.size > 0}
      onClose={onClose}
      onSubmit={send}
      submitLabel="Make the token"
    >
      <TextField
        field={form.bind('name')}
        label="Name"
        help="The program that will use it, such as Month-end workbook."
        isRequired
        hasFocus
      />
      <SelectField field={form.bind('days')} label="Expires" choices={expiryChoices} />
      <fieldset className={css.scopes}>
        <legend>What it may do</legend>
        <CheckboxList
          items={tokenScopeNames.map((scope) => ({ id: scope, label: scope, detail: tokenScopes[scope] }))}
          picked={scopes}
          onToggle={(scope) => toggle(scope as TokenScope)}
        />
        {isMissing ? <Callout tone="warn">Choose at least one.</Callout> : null}
      </fieldset>
      <p className="small subtle">
        Scopes only narrow what the role allows. No token can change how people sign in, or make other tokens.
      </p>
    </MutationDialog>
  )
}
