/** A hundred concurrent uses of a link: two rounds as a slice, fifty with `npm run soak`. */
import { resetPassword } from '@tributary/contract/reset-password'
import { expect, test } from 'vitest'
import { solveCaptcha } from '../../server/identity/captcha.ts'
import { newPassword } from '../../server/identity/sign-up-client.ts'
import { testApp } from '../../server/app/test-app.ts'
import { isFull } from '../extent.ts'

const owner = 'user@demo.example'
const rounds = isFull ? 50 : 2

test(`[PASS-2] of 100 concurrent uses of a link exactly one sets the password (${rounds} rounds)`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    await using app = await testApp({ env: { TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
    const recaptchaToken = await solveCaptcha(app)
    await app.as.visitor.call(resetPassword.request, { body: { emailAddress: owner, recaptchaToken } })
    const token = (await app.emailsTo(owner)).at(-1)?.action?.url.split('/').at(-1) ?? ''
    const tries = Array.from({ length: 100 }, (_, at) =>
      app.as.visitor.send('POST', '/api/reset-password', {
        body: { token, password: `${newPassword}-${at}` },
        headers: { 'x-forwarded-for': `198.51.100.${at}` },
      }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // So many passwords also reach the limit of concurrent hashes.
    expect(statuses.filter((status) => ![200, 403, 429].includes(status))).toEqual([])
    expect((await app.emailsTo(owner)).filter(({ template }) => template === 'account-changed')).toHaveLength(1)
  }
}, 300_000)
