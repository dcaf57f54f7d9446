/** Contacts and their groups, as the API writes them. */
import type { Company } from '../books/company.ts'
import { openCents } from '../books/invoices-and-payments.ts'
import type { How, Listed } from '../api/listed.ts'
import { amount, stamp } from '../api/value-format.ts'
import type { Row } from '../api/value-format.ts'
import type { Contact, Invoice } from '../books/records.ts'

interface Owed {
  outstanding: number
  overdue: number
}

export function contactList(company: Company): readonly Listed[] {
  const owed = owedBy(company)
  return company.contacts.map((contact) => ({
    id: contact.id,
    status: contact.status,
    updatedAt: contact.updatedAt,
    date: null,
    facts: {
      name: contact.name,
      emailaddress: contact.email,
      contactstatus: contact.status,
      accountnumber: contact.number,
      iscustomer: contact.side === 'sell',
      issupplier: contact.side === 'buy',
    },
    row: (how) => contactRow(company, contact, { how, owed: owed(how).get(contact) }),
  }))
}

/** Added up when the first row needs it. */
function owedBy({ invoices }: Company): (how: How) => ReadonlyMap<Contact, Owed> {
  let found: Map<Contact, Owed> | null = null
  return ({ now }) => {
    if (found !== null) return found
    found = new Map()
    for (const invoice of invoices) {
      if (invoice.status === 'AUTHORISED') add(found, invoice, now)
    }
    return found
  }
}

function add(found: Map<Contact, Owed>, invoice: Invoice, now: number): void {
  const owed = found.get(invoice.contact) ?? { outstanding: 0, overdue: 0 }
  owed.outstanding += openCents(invoice)
  if (invoice.dueDate !== null && invoice.dueDate < now) owed.overdue += openCents(invoice)
  found.set(invoice.contact, owed)
}

function contactRow(company: Company, contact: Contact, { how, owed }: { how: How; owed: Owed | undefined }): Row {
  const heavy = how.detail === 'summary' ? {} : heavyPart(company, contact, owed)
  return {
    ContactID: contact.id,
    ContactNumber: contact.number,
    AccountNumber: contact.number,
    ContactStatus: contact.status,
    Name: contact.name,
    FirstName: contact.firstName,
    LastName: contact.lastName,
    EmailAddress: contact.email,
    BankAccountDetails: '',
    ...(contact.side === 'buy' && { BatchPayments: batchPaymentsOf(contact) }),
    TaxNumber: '',
    CompanyNumber: '',
    Addresses: [
      { AddressType: 'STREET', City: '', Region: '', PostalCode: '', Country: '' },
      {
        AddressType: 'POBOX',
        AddressLine1: '1 Quay St',
        City: contact.place.City,
        Region: contact.place.State,
        PostalCode: contact.place.Postcode,
        Country: contact.place.Country,
        AttentionTo: contact.firstName,
      },
    ],
    Phones: ['DDI', 'DEFAULT', 'FAX', 'MOBILE'].map((kind) => ({
      PhoneType: kind,
      PhoneNumber: kind === 'DEFAULT' ? contact.phone : '',
      PhoneAreaCode: kind === 'DEFAULT' ? '04' : '',
      PhoneCountryCode: kind === 'DEFAULT' ? '64' : '',
    })),
    UpdatedDateUTC: stamp(contact.updatedAt),
    IsSupplier: contact.side === 'buy',
    IsCustomer: contact.side === 'sell',
    DefaultCurrency: contact.currency,
    ...heavy,
    HasAttachments: false,
    HasValidationErrors: false,
  }
}

/** Where a supplier is paid to, with what the bank is told. */
function batchPaymentsOf({ number, name }: Contact): Row {
  return {
    BankAccountNumber: `12-3456-${number}`,
    BankAccountName: name,
    Details: 'Paid by batch',
    Code: 'SUPPLIER',
    Reference: number,
  }
}

function heavyPart(
  { tracking }: Company,
  { groups, people, side }: Contact,
  owed: Owed = { outstanding: 0, overdue: 0 },
): Row {
  const none = { Outstanding: amount(0), Overdue: amount(0) }
  const some = { Outstanding: amount(owed.outstanding), Overdue: amount(owed.overdue) }
  const [category] = tracking
  const [option] = category?.options ?? []
  const tracked =
    groups.length > 0 && category !== undefined && option !== undefined
      ? [
          {
            TrackingCategoryID: category.id,
            TrackingCategoryName: category.name,
            TrackingOptionID: option.id,
            TrackingOptionName: option.name,
          },
        ]
      : []
  return {
    ContactPersons: people.map(({ firstName, lastName, email }) => ({
      FirstName: firstName,
      LastName: lastName,
      EmailAddress: email,
      IncludeInEmails: true,
    })),
    ContactGroups: groups.map(({ id, name }) => ({
      ContactGroupID: id,
      Name: name,
      Status: 'ACTIVE',
      Contacts: [],
      HasValidationErrors: false,
    })),
    SalesTrackingCategories: side === 'sell' ? tracked : [],
    PurchasesTrackingCategories: side === 'buy' ? tracked : [],
    Balances: { AccountsReceivable: side === 'sell' ? some : none, AccountsPayable: side === 'buy' ? some : none },
  }
}

/** The members come only with a group that is fetched by its id. */
export function groupList({ groups, contacts }: Company): readonly Listed[] {
  return groups.map((group) => ({
    id: group.id,
    status: 'ACTIVE',
    updatedAt: null,
    date: null,
    facts: { name: group.name },
    row: ({ isAlone }) => ({
      ContactGroupID: group.id,
      Name: group.name,
      Status: 'ACTIVE',
      Contacts: isAlone
        ? contacts.filter((each) => each.groups.includes(group)).map(({ id, name }) => ({ ContactID: id, Name: name }))
        : [],
      HasValidationErrors: false,
    }),
  }))
}
