import { resetPassword } from '@tributary/contract/reset-password'
import type { App } from '../../parts.ts'
import { requestReset, resetWith, validateReset } from './reset-password.ts'

export function resetPasswordRoutes(app: App): void {
  const { parts } = app

  app.bind(resetPassword.request, async ({ body, origin }) => {
    await requestReset(parts, { ...body, origin })
    return { message: 'If this address has an account, a link to set a new password is on its way.' }
  })
  app.bind(resetPassword.validate, async ({ query, origin }) => {
    const { emailAddress, passwordHash } = await validateReset(parts, query.token, origin)
    return { emailAddress, isFirst: passwordHash === null }
  })
  app.bind(resetPassword.reset, async ({ body, origin }) => {
    await resetWith(parts, { ...body, origin })
    return { message: 'Your password is set. Sign in with it.' }
  })
}
