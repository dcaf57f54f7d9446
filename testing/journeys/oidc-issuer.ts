/** The identity provider of the journeys, a separate process. */
import { startIssuer } from '../server/identity/oidc-issuer.ts'

const [port, home] = [Number(process.env['TRIBUTARY_E2E_ISSUER_PORT']), process.env['TRIBUTARY_E2E_URL'] ?? '']
const person = (firstName: string) => ({
  email: `${firstName.toLowerCase()}@idp.example`,
  email_verified: true,
  given_name: firstName,
  family_name: 'Lovelace',
})

await startIssuer({
  port,
  redirectUri: `${home}/api/auth/external/acme/callback`,
  people: { ada: person('Ada'), grace: person('Grace'), nora: person('Nora') },
})
