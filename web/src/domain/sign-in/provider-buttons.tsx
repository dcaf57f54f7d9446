/** Buttons for the identity providers that the operator has configured, in the configured order. */
import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react/visitor-icons'
import { buildProviderUrl, useSignInOptions } from '../../api/session/sign-in-options.ts'
import css from './auth-page.module.css'

const words = { signin: 'Sign in with', signup: 'Sign up with' } as const

export function ProviderButtons({
  purpose,
  returnUrl = null,
}: {
  purpose: keyof typeof words
  returnUrl?: string | null
}) {
  const { providers } = useSignInOptions()
  if (providers.length === 0) return null
  return (
    <div className={css.providers}>
      {providers.map(({ name, displayName }) => (
        <Button
          key={name}
          component="a"
          href={buildProviderUrl(name, purpose, returnUrl)}
          variant="default"
          size="md"
          fullWidth
          rightSection={<IconArrowRight stroke={1.75} />}
        >
          {words[purpose]} {displayName}
        </Button>
      ))}
    </div>
  )
}
