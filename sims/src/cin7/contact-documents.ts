/** Customers, suppliers and leads in the API's format. */
import { dayMs, taxPercent } from './company.ts'
import type { Cin7Company, Cin7Contact, Cin7Lead, Cin7Product } from './company.ts'
import { taxOf } from './trade.ts'
import { amount, day, instant, numberedFields } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

export function contactRow(contact: Cin7Contact, { products, customers }: Cin7Company): Cin7Row {
  const isCustomer = contact.kind === 'customer'
  const [billing, shipping] = contact.addressIds
  const addresses = [
    { ID: billing, Line1: '1 Quay St', Line2: '', ...contact.address, Type: 'Billing', DefaultForType: true },
    { ID: shipping, Line1: '3 Dock Rd', Line2: '', ...contact.address, Type: 'Shipping', DefaultForType: true },
  ]
  return {
    ID: contact.ID,
    Name: contact.Name,
    Status: contact.status,
    Currency: contact.currency,
    PaymentTerm: '30 days',
    [isCustomer ? 'AccountReceivable' : 'AccountPayable']: isCustomer ? '610' : '800',
    TaxRule: isCustomer ? `${taxPercent}% GST on Income` : `${taxPercent}% GST on Expenses`,
    Discount: 0,
    ...(isCustomer
      ? {
          RevenueAccount: '200',
          PriceTier: 'Tier 1',
          CreditLimit: amount(contact.creditLimitCents),
          IsOnCreditHold: false,
          Location: 'Main Warehouse',
          Carrier: null,
          SalesRepresentative: null,
          Tags: '',
          ProductPrices: contact.creditLimitCents === 0 ? [] : products.slice(0, 2).map(pricedFor),
          ...belongingOf(contact, customers),
        }
      : {}),
    Comments: contact.comments,
    TaxNumber: '123-456-789',
    AttributeSet: null,
    ...numberedFields('AdditionalAttribute', null, null),
    LastModifiedOn: instant(contact.modifiedAt),
    Addresses: isCustomer ? addresses : addresses.slice(0, 1),
    Contacts: contact.people.map((person, index) => ({
      ...person,
      JobTitle: null,
      Phone: '5550100',
      MobilePhone: null,
      Fax: null,
      Website: null,
      Comment: null,
      Default: index === 0,
      IncludeInEmail: false,
      ...(isCustomer ? { MarketingConsent: 0 } : {}),
    })),
  }
}

/** The second customer is a branch of the first, which receives its bills. */
function belongingOf(contact: Cin7Contact, [parent, branch]: readonly Cin7Contact[]): Cin7Row {
  const isBranch = contact === branch
  return {
    DisplayName: contact.Name,
    IsLegalEntity: !isBranch,
    CustomerParentID: isBranch ? (parent?.ID ?? null) : null,
    CustomerParentName: isBranch ? (parent?.Name ?? null) : null,
    IsBillParent: isBranch,
  }
}

/** A price agreed with the customer. */
function pricedFor({ ID, sku, Name, costCents }: Cin7Product): Cin7Row {
  return { ProductID: ID, ProductSKU: sku, ProductName: Name, Price: amount(2 * costCents) }
}

export function creditRows({ customers, idOf }: Cin7Company): Cin7Row[] {
  return customers.slice(0, 2).map(({ ID, Name, currency, modifiedAt }, index) => ({
    CreditID: idOf('credit', index),
    CustomerID: ID,
    CustomerName: Name,
    ...paidAhead(currency, modifiedAt, 15_000 + index),
  }))
}

export function depositRows({ suppliers, idOf }: Cin7Company): Cin7Row[] {
  return suppliers.slice(0, 2).map(({ ID, Name, currency, modifiedAt }, index) => ({
    DepositID: idOf('deposit', index),
    SupplierID: ID,
    SupplierName: Name,
    ...paidAhead(currency, modifiedAt, 27_500 + index),
  }))
}

function paidAhead(currency: string, at: number, cents: number): Cin7Row {
  return {
    Date: day(at),
    Account: '090',
    Description: 'Paid ahead',
    Currency: currency,
    ConvRate: 1,
    Amount: amount(cents),
    RemainingAmount: amount(Math.floor(cents / 2)),
  }
}

export function leadRow({ ID, Name, amountCents, modifiedAt, number }: Cin7Lead, { idOf }: Cin7Company): Cin7Row {
  return {
    ID,
    Name,
    LeadStatus: 'OPEN',
    Amount: amount(amountCents),
    CloseChance: 40,
    CloseDate: day(modifiedAt + 60 * dayMs),
    Comments: '',
    Currency: 'NZD',
    PaymentTerm: '30 days',
    PriceTier: 'Tier 1',
    SalesRepresentative: null,
    TaxRule: `${taxPercent}% GST on Income`,
    Addresses: [
      {
        ID: idOf('lead address', number),
        Line1: '9 Hill St',
        Line2: '',
        City: 'Wellington',
        State: '',
        Postcode: '6011',
        Country: 'New Zealand',
        Type: 'Billing',
        DefaultForType: true,
      },
    ],
    Contacts: [
      {
        ID: idOf('lead contact', number),
        Name: 'Ann Other',
        JobTitle: null,
        Phone: '5550111',
        MobilePhone: null,
        Fax: null,
        Email: `lead${number}@mail.example`,
        Website: null,
        Comment: null,
        Default: true,
        IncludeInEmail: false,
      },
    ],
  }
}

export function opportunityRow(lead: Cin7Lead, { products, locations, idOf }: Cin7Company): Cin7Row {
  const [product] = products
  const taxCents = taxOf(lead.amountCents)
  const line = {
    Discount: 0,
    Quantity: 1,
    Tax: amount(taxCents),
    TaxPercent: taxPercent,
    TaxRule: `${taxPercent}% GST on Income`,
    Total: amount(lead.amountCents),
    Comment: '',
  }
  return {
    ID: idOf('opportunity', lead.number),
    LeadID: lead.ID,
    OpportunityNumber: `OP-${lead.number}`,
    OpportunityStatus: 'OPEN',
    OpportunityDate: day(lead.modifiedAt),
    OpportunityLocation: locations[0]?.Name ?? null,
    OpportunityComment: '',
    OpportunityMemo: '',
    CustomerID: null,
    CustomerName: lead.Name,
    CustomerReference: '',
    CustomerCurrency: 'NZD',
    Contact: 'Ann Other',
    Phone: '5550111',
    ...addressesOf(lead),
    ...numberedFields('CustomField', 'Trade fair', ''),
    Currency: 'NZD',
    CurrencyConversionRate: 1,
    DefaultAccount: '200',
    PriceTier: 'Tier 1',
    SalesRepresentative: null,
    Terms: '30 days',
    TermMethod: 1,
    TermDays: 30,
    TermDueNextMonth: 0,
    TaxRule: line.TaxRule,
    TaxInclusive: false,
    TaxPercent: taxPercent,
    TaxTotal: amount(taxCents),
    Total: amount(lead.amountCents + taxCents),
    Lines: [
      {
        ID: idOf('opportunity line', lead.number),
        ProductID: product?.ID ?? null,
        ProductName: product?.Name ?? null,
        ProductSku: product?.sku ?? null,
        Price: line.Total,
        ...line,
      },
    ],
    AdditionalCharges: [
      { ID: idOf('opportunity charge', lead.number), Description: 'Freight', Amount: 0, ...line, Tax: 0, Total: 0 },
    ],
  }
}

function addressesOf({ Name }: Cin7Lead): Cin7Row {
  return {
    BillingAddressLine1: '9 Hill St',
    BillingAddressLine2: 'Wellington 6011',
    ShippingAddressLine1: '12 Bay Rd',
    ShippingAddressLine2: 'Wellington 6012',
    ShipToCompany: Name,
    ShipToContact: 'Ann Other',
    ShipToAddress1: '12 Bay Rd',
    ShipToAddress2: '',
    ShipToCity: 'Wellington',
    ShipToState: '',
    ShipToPostCode: '6012',
    ShipToCountry: 'New Zealand',
    ShipToOther: false,
  }
}

export function crmTaskRows({ leads, idOf }: Cin7Company): Cin7Row[] {
  return leads.map(({ ID, number, modifiedAt }) => ({
    ID: idOf('crm task', number),
    Name: 'Call them',
    Description: 'Ask whether they need more.',
    Category: 'Call',
    TaskStatus: 'OPEN',
    AssignedBy: 'sam@mail.example',
    AssignedTo: 'ann@mail.example',
    EntityID: ID,
    EntityType: 'Lead',
    StartDate: instant(modifiedAt),
    EndDate: instant(modifiedAt + dayMs),
    CompletedDate: null,
    VoidDate: null,
    IsAllDay: false,
    IsImportant: true,
    WorkflowName: number === 1 ? 'Win them back' : null,
  }))
}

/** Sequential steps; the last one has neither hours nor an assignee. */
export function workflowRows({ idOf }: Cin7Company): Cin7Row[] {
  const steps = [
    {
      Name: 'Call them',
      Category: 'Call',
      Days: 0,
      StartTime: '03:00:00',
      EndTime: '06:00:00',
      SkipHoliday: 'move_previous',
    },
    { Name: 'Write to them', Category: null, Days: 2, StartTime: null, EndTime: null, SkipHoliday: 'leave' },
  ]
  return ['Win them back', 'Thank them'].map((Name, index) => ({
    ID: idOf('workflow', index),
    Name,
    EntityType: index === 0 ? 'Lead' : 'Sale',
    DueDaysType: 'COMPLETED_DATE',
    IsActive: index === 0,
    Steps: steps.slice(index).map((step, at) => ({
      ID: idOf('workflow step', index * 10 + at),
      ...step,
      UserName: step.Category === null ? null : 'ann@mail.example',
    })),
  }))
}
