/** Every way a call can fail: its code, its status and its sentence for people. */
import * as z from 'zod'

export const faults = {
  badInput: [400, 'Some of what was sent is not right: {detail}'],
  malformed: [400, 'The request could not be read. Send JSON with the content type application/json.'],
  wrongSecret: [401, 'Please check your email address and password.'],
  notSignedIn: [401, 'Unauthorized'],
  otherSite: [403, 'This call came from another website and was refused. Open Tributary itself and try again.'],
  codeWrong: [403, 'This code is wrong, used or too old. Start Tributary again to be shown a new one.'],
  notAllowed: [403, 'Your role does not allow this. Ask an administrator of your organisation.'],
  notFound: [404, 'There is nothing here, or it belongs to an organisation that you are not a member of.'],
  nameTaken: [409, 'There is already one with the name {name}. Choose another name.'],
  alreadyRunning: [409, 'This connector is already running. Wait until it is done, or cancel the run first.'],
  notConnected: [409, 'This connector is disconnected. Connect it again before you refresh it.'],
  runEnded: [409, 'This run has already ended.'],
  tooLarge: [413, 'The request is larger than {limit}. Send less at once.'],
  wrongHost: [421, 'Tributary does not answer at this address. Open {address} instead.'],
  secretNeeded: [
    422,
    'The address or the user has changed. Enter the password or key again, so that it is never sent to a new address by itself.',
  ],
  settingsWrong: [422, '{detail}'],
  tooMany: [429, 'Too many attempts. Try again in {seconds} seconds.'],
  broken: [500, 'Something seems to have gone wrong, please try again.'],
  unavailable: [503, 'Tributary cannot reach its database just now. Nothing is lost; please try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, message: string]>
export type FaultCode = keyof typeof faults

/** The body of every answer that is not a success. `reference` is in the server's log, too. */
export const FaultReply = z.object({
  statusCode: z.number().int(),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  reference: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})
export type FaultReply = z.infer<typeof FaultReply>
