/** The error codes of the API, with their HTTP status and their message for people. */
import * as z from 'zod'

export const faults = {
  badInput: [400, 'Some of what was sent is not right: {detail}'],
  malformed: [400, 'The request could not be read. Send JSON with the content type application/json.'],
  oauthRequestWrong: [400, '{detail}'],
  tooDeep: [400, 'The request has more than {limit} objects and lists within each other. Send a flatter one.'],
  wrongSecret: [401, 'Please check your email address and password.'],
  notSignedIn: [401, 'Unauthorized'],
  tokenExpired: [
    401,
    'This access token expired on {at}. Make a new one in the portal: in your profile, or under Admin for a service account.',
  ],
  verificationFailed: [401, 'Verification failed.'],
  otherSite: [403, 'This call came from another website and was refused. Open Tributary itself and try again.'],
  codeWrong: [403, 'This code is wrong, used or too old. Start Tributary again to be shown a new one.'],
  linkSpent: [403, 'This link was used before, was replaced by a newer one, or is too old. Ask for a new one.'],
  resetExpired: [403, 'This link was used before, was replaced by a newer one, or is too old. Ask for a new one.'],
  passwordNeeded: [403, 'Enter your password to make this change. It was missing or not right.'],
  proofNeeded: [
    403,
    'Prove first that it is you: you signed in more than fifteen minutes ago, and this matters. Confirm it in the portal with your password, or sign in again.',
  ],
  factorNeeded: [
    403,
    'Confirm with your second factor first: a passkey, your authenticator app, a recovery code, or the code that we mail to you if you have none of them.',
  ],
  tokenScope: [403, 'This access token may not make this call: it needs the scope {scope}. Make a token that has it.'],
  tokenRefused: [403, 'This call takes no access token. Sign in to the portal to make it.'],
  tokensOff: [403, 'Access tokens are switched off {where}. Ask {whom} to switch them on.'],
  assistantsOff: [403, 'Assistants are switched off {where}. Ask {whom} to switch them on.'],
  assistantTerms: [
    403,
    'Only an administrator who is a member of the organisation can confirm these terms for it. Ask one to do so.',
  ],
  passwordTemporary: [
    403,
    'An administrator typed your password. Sign in to the portal and choose one of your own first.',
  ],
  passwordNotOwn: [
    403,
    'An administrator set your password, and may know it. Set one of your own with "Forgot password?", then open the link of our mail again.',
  ],
  signUpClosed: [403, 'Signing up is switched off. Ask the provider for an account.'],
  roleTooHigh: [403, 'You cannot give a role with more rights than your own, nor change a person who has more.'],
  ownRole: [403, 'You cannot change your own role or status, nor delete yourself. Ask another administrator.'],
  memberElsewhere: [
    403,
    'This person also works in organisations that you do not administer. You can change their role here; the rest they change themselves.',
  ],
  notAllowed: [403, 'Your role does not allow this. Ask an administrator of your organisation.'],
  dataNotReadable: [
    403,
    'There is nothing here that you may read yet. Ask an administrator of your organisation to assign you to a connector, or to give you a group, an entity or a helper table.',
  ],
  notFound: [404, 'There is nothing here, or it belongs to an organisation that you are not a member of.'],
  certificateUnknown: [
    404,
    'No certificate with this hash was issued here. Compare its 64 characters with those on the certificate.',
  ],
  methodNotAllowed: [405, 'This address does not take {method}. It takes {allow}.'],
  addressTaken: [409, 'This email address is already in use'],
  alreadyMember: [409, 'A person with this address is already a member, or has been invited.'],
  alreadyDecided: [409, 'This request was already decided otherwise: {status}.'],
  tokensMax: [409, 'There are {max} access tokens already. Revoke one that is no longer used, then make the new one.'],
  serviceAccountsMax: [409, 'There are {max} service accounts already. Delete one that is no longer used first.'],
  serviceAccount: [
    409,
    'This is a service account. It has a name, a role and assignments, and nothing to sign in with.',
  ],
  lastAdmin: [409, 'This is the last one with that role. Give the role to another person first.'],
  onlyWayIn: [409, 'This is the only way you can sign in. Set a password first.'],
  organisationArchived: [409, 'This organisation is archived. Bring it back before you change anything in it.'],
  versionArchived: [409, 'The version {name} is archived. Make it active before you add a milestone to it.'],
  tableNameTaken: [
    409,
    'The table {table} would then belong to two: {name} has it already. Choose a name that differs in more than spaces and signs.',
  ],
  noHistory: [
    409,
    'No history is kept of {table}, so its former rows are not known. An administrator can switch it on in the connector; it begins with the next run.',
  ],
  outsideHistory: [409, '{detail}'],
  changedMeanwhile: [
    409,
    'Another person saved this in the meantime ({change}). Your changes were not saved. Review theirs, then save again.',
  ],
  nameTaken: [409, 'There is already one with the name {name}. Choose another name.'],
  syncUnderWay: [409, 'The tables are being synchronised already. Wait until that is done, then look at what it did.'],
  alreadyRunning: [409, 'This connector is already running. Wait until it is done, or cancel the run first.'],
  allowanceNearlyUsed: [
    409,
    '{used} of the {allowed} calls that {source} allows in a day are used, and the provider has reserved the rest for scheduled runs. The data follows with the schedule; start a run by hand after midnight UTC.',
  ],
  awaitsApproval: [
    409,
    'This connector waits for the approval of its hosts by the provider. It runs as soon as they are approved.',
  ],
  hostsChanged: [
    409,
    'The settings of this connector call other hosts meanwhile. Load the page again, and decide about them.',
  ],
  workbenchBusy: [
    409,
    'The workbench is busy with another try or proof. Nothing was called. Wait until it is done, then start this one again.',
  ],
  notConnected: [409, 'This connector is disconnected. Connect it again before you refresh it.'],
  runEnded: [409, 'This run has already ended.'],
  tenantTaken: [409, '{name} is connected already, here or by another organisation. Disconnect it there first.'],
  otherTenant: [
    409,
    'This connector moved {former} so far, and {name} is another company: its rows would take the place of those in the tables. Confirm it, or choose {former}.',
  ],
  roomEnded: [409, 'This auditor room has ended. Open a new one for the person.'],
  auditorRole: [409, 'This person has an auditor room. End it first, then invite them with another role.'],
  tieOutReplaced: [409, 'A later run has been compared since. Look at its figures, then issue the certificate.'],
  exportRunning: [
    409,
    'You are downloading a table already. Wait until that is done, or cancel it, and then start this download again.',
  ],
  rowsMoved: [
    409,
    'The table was refreshed or changed meanwhile, so its rows cannot continue from here. Start again at the first row.',
  ],
  loadEnded: [409, 'This load has ended ({status}). Begin another one.'],
  sliceChanged: [
    409,
    '{who} loaded {slice} meanwhile. Nothing of yours was loaded. Check again to see what it would replace now.',
  ],
  undoConflict: [409, '{who} has loaded {slice} since. Undo that load first, or load the rows you want.'],
  readingLogin: [409, '{detail}'],
  targetTablesOnly: [
    409,
    'The target of this connector stores tables only, so it has no {feature}. Choose a SQL database or Tributary’s own warehouse as its target first.',
  ],
  lakeUnreadable: [409, 'The Iceberg table cannot be read. {detail}'],
  appInUse: [409, 'Connectors still use this app. Disconnect them first.'],
  tooLarge: [413, 'The request is larger than {limit}. Send less at once.'],
  wrongHost: [421, 'Tributary does not answer at this address. Open {address} instead.'],
  secretNeeded: [
    422,
    'The address or the user has changed. Enter the password or key again, so that it is never sent to a new address by itself.',
  ],
  secretUnreadable: [
    422,
    'A stored password or key cannot be read any more, so it was not used. Enter it again and save.',
  ],
  codeNotRight: [422, 'This code is not right, or too old. Try the one that is shown now.'],
  captchaFailed: [422, 'The check that you are a person did not pass. Reload the page and try again.'],
  captchaNeeded: [
    422,
    'Many sign-ins are failing just now, so we check first that you are a person. Sign in on the page of Tributary.',
  ],
  settingsWrong: [422, '{detail}'],
  sourceRefused: [422, '{detail}'],
  loadRefused: [422, '{detail}'],
  fileUnreadable: [422, '{detail}'],
  queryTooLong: [
    422,
    'The query was stopped after {seconds} seconds, and nothing was changed. Filter for fewer rows, or sort by the key or an indexed column.',
  ],
  queryTooLarge: [
    422,
    'The query needs more disk space than one query may use, so it was stopped. Filter for fewer rows, or sort by the key or an indexed column.',
  ],
  queryCancelled: [422, 'The query was cancelled.'],
  syncTooSoon: [
    429,
    'Please wait 15 minutes from last refresh. It has been {minutes} minutes since {company} was last refreshed.',
  ],
  queueFull: [429, 'A hundred runs of this organisation are waiting already. Wait until some of them are done.'],
  queriesRunning: [429, 'Two queries of yours are running already. Wait until one is done, or cancel it.'],
  tooMany: [429, 'Too many attempts. Try again in {seconds} seconds.'],
  broken: [500, 'Something seems to have gone wrong, please try again.'],
  sourceAway: [503, '{detail}'],
  maintained: [503, 'Tributary is being maintained and will be back soon. Nothing is lost.'],
  storeFull: [
    503,
    'Tributary has no disk space left, so nothing can be saved just now. Nothing is lost. Ask the operator of Tributary to free some, then try again.',
  ],
  warehouseUnreachable: [503, 'The data cannot be reached just now. Nothing is lost; please try again in a moment.'],
  unavailable: [503, 'Tributary cannot reach its database just now. Nothing is lost; please try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, message: string]>
export type FaultCode = keyof typeof faults

/** The body of every error response. `reference` also appears in the server's log. */
export const FaultReply = z.object({
  statusCode: z.number().int(),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  reference: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})
export type FaultReply = z.infer<typeof FaultReply>
