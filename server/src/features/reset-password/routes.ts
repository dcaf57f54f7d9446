import { registration } from '@tributary/contract/sign-up'
import type { App } from '../../app-services.ts'
import { requestReset, resetWith, validateReset } from './reset-password.ts'

export function resetPasswordRoutes(app: App): void {
  const { services } = app

  app.bind(registration.requestReset, async ({ body, origin }) => {
    await requestReset(services, { ...body, origin })
    return { message: 'If this address has an account, a link to set a new password is on its way.' }
  })
  app.bind(registration.validateReset, async ({ query, origin }) => {
    const { emailAddress, passwordHash } = await validateReset(services, query.token, origin)
    return { emailAddress, isFirst: passwordHash === null }
  })
  app.bind(registration.reset, async ({ body, origin }) => {
    await resetWith(services, { ...body, origin })
    return { message: 'Your password is set. Sign in with it.' }
  })
}
