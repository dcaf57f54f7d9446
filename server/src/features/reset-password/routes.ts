import { resetPassword } from '@tributary/contract/reset-password'
import type { AppRoutes } from '../../app-services.ts'
import { requestReset, resetWith, validateReset } from './reset-password.ts'

export function resetPasswordRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(resetPassword.request, async ({ body, auditContext }) => {
    await requestReset(services, { ...body, auditContext })
    return { message: 'If this address has an account, a link to set a new password is on its way.' }
  })
  app.bind(resetPassword.validate, async ({ query, auditContext }) => {
    const { emailAddress, passwordHash } = await validateReset(services, query.token, auditContext)
    return { emailAddress, isFirst: passwordHash === null }
  })
  app.bind(resetPassword.reset, async ({ body, auditContext }) => {
    await resetWith(services, { ...body, auditContext })
    return { message: 'Your password is set. Sign in with it.' }
  })
}
