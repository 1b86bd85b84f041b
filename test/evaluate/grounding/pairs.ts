/**
 * What a tool told and what an answer states, by domain; `=`: the answer states what was told, `!`: it states something else, `?`: its
 * digits or those of what was told cannot be read. JSON is read as JSON.
 */
export const pairs: Readonly<Record<string, string>> = {
  money: `
    = 4 of 5 dentists | 4 in 5 dentists
    ! 4 of 5 dentists | 3 in 5 dentists
    = {"cart":{"items":4,"total":"$212.36","shipping":"free"}} | Your cart has 4 items for $212.36; shipping is free.
    ! {"cart":{"items":4,"total":"$212.36","shipping":"free"}} | Your cart has 4 items for $221.36; shipping is free.
    = Stromtarif: 31,4 ct/kWh, Grundpreis 11,90 €/Monat | The tariff is 31.4 cents per kWh plus €11.90 a month.
    ! Stromtarif: 31,4 ct/kWh, Grundpreis 11,90 €/Monat | The tariff is 34.1 cents per kWh plus €11.90 a month.
    = {"loan":{"principal":250000,"rate_pct":3.45,"term_years":25,"monthly":1245.32}} | For a loan of 250,000 at 3.45% over 25 years you pay 1,245.32 a month.
    ! {"loan":{"principal":250000,"rate_pct":3.45,"term_years":25,"monthly":1245.32}} | For a loan of 250,000 at 3.45% over 30 years you pay 1,245.32 a month.
    = Acompte de 30 % (1 260 €), solde 2 940 € à la livraison | You pay 30% (€1,260) now and €2,940 on delivery.
    ! Acompte de 30 % (1 260 €), solde 2 940 € à la livraison | You pay 30% (€1,260) now and €2,490 on delivery.
    = {"donations":{"count":318,"sum_eur":15420.5}} | 318 Spenden ergaben zusammen 15.420,50 €.
    ! {"donations":{"count":318,"sum_eur":15420.5}} | 381 Spenden ergaben zusammen 15.420,50 €.
    = fine: £65, reduced to £32.50 if paid within 14 days | The fine is £65, or £32.50 within 14 days.
    ! fine: £65, reduced to £32.50 if paid within 14 days | The fine is £65, or £32.50 within 28 days.
    = Sueldo bruto anual: 32.000 € en 14 pagas | The gross salary is €32,000 a year in 14 payments.
    ! Sueldo bruto anual: 32.000 € en 14 pagas | The gross salary is €32,000 a year in 12 payments.
    = {"revenue":{"2023":"1.9bn EUR","2024":"2.2bn EUR"}} | Revenue grew from €1.9 billion in 2023 to €2.2 billion in 2024.
    ! {"revenue":{"2023":"1.9bn EUR","2024":"2.2bn EUR"}} | Revenue grew from €1.9 billion in 2023 to €2.7 billion in 2024.
    = {"invoice_no":"2026-0042","net":"1,050.00","vat":"199.50","gross":"1,249.50"} | Invoice 2026-0042: net 1,050.00, VAT 199.50, gross 1,249.50.
    ! {"invoice_no":"2026-0042","net":"1,050.00","vat":"199.50","gross":"1,249.50"} | Invoice 2026-0042: net 1,050.00, VAT 199.50, gross 1,294.50.
    = Kontostand: 3.210,07 € (Stand 02.01.2026) | As of January 2, 2026 the balance is €3,210.07.
    ! Kontostand: 3.210,07 € (Stand 02.01.2026) | As of January 2, 2026 the balance is €3,120.07.
    = {"deposit":500,"currency":"AUD","refundable":true} | The deposit of A$500 is refundable.
    ! {"deposit":500,"currency":"AUD","refundable":true} | The deposit of A$550 is refundable.
    = Ticket adulte 13,50 €, enfant 7 €, famille 35 € | Adults pay €13.50, children €7 and families €35.
    ! Ticket adulte 13,50 €, enfant 7 €, famille 35 € | Adults pay €13.50, children €9 and families €35.
    = {"usage":{"calls":18230,"cost_usd":"4.56"}} | You made 18,230 calls, which cost $4.56.
    ! {"usage":{"calls":18230,"cost_usd":"4.56"}} | You made 18,230 calls, which cost $5.46.
    = El alquiler sube de 750 € a 780 € | The rent goes up from €750 to €780.
    ! El alquiler sube de 750 € a 780 € | The rent goes up from €750 to €870.
    = grant: up to EUR 2.5 million over 36 months | The grant is up to 2.5 million euros over three years.
    ! grant: up to EUR 2.5 million over 36 months | The grant is up to 2.5 million euros over four years.
    = Gebühr: 0,25 % mind. 5 Fr. | Die Gebühr beträgt 0,25 %, mindestens aber 5 Franken.
    ! Gebühr: 0,25 % mind. 5 Fr. | Die Gebühr beträgt 0,25 %, mindestens aber 15 Franken.
    = {"plan":"Team","seats":12,"price_per_seat":"$9.00","billing":"monthly"} | The Team plan costs $9 per seat per month; you have 12 seats.
    ! {"plan":"Team","seats":12,"price_per_seat":"$9.00","billing":"monthly"} | The Team plan costs $9 per seat per month, so $108 in total.
    = Erstattung: 18,40 EUR auf Konto ****7731 | Wir haben 18,40 € auf das Konto mit der Endung 7731 erstattet.
    ! Erstattung: 18,40 EUR auf Konto ****7731 | Wir haben 18,40 € auf das Konto mit der Endung 7713 erstattet.
    = {"payout":{"amount":2750,"currency":"usd","arrival":"2026-02-10"}} | A payout of US$2,750.00 arrives on Feb 10, 2026.
    ! {"payout":{"amount":2750,"currency":"usd","arrival":"2026-02-10"}} | A payout of US$2,750.00 arrives on Feb 11, 2026.
    = Abonnement : 14,99 €/mois sans engagement, 149 €/an | The subscription is €14.99 a month or €149 a year.
    ! Abonnement : 14,99 €/mois sans engagement, 149 €/an | The subscription is €14.99 a month or €129 a year.
    = {"unit_cost":0.35,"units":12000,"total":4200} | At 0.35 each, 12,000 units come to 4,200.
    ! {"unit_cost":0.35,"units":12000,"total":4200} | At 0.53 each, 12,000 units come to 4,200.
    = El precio de la habitación doble es de 89 € por noche | A double room is 89 euros per night.
    ! El precio de la habitación doble es de 89 € por noche | A double room is 98 euros per night.
    = tip: 18% ($7.20), total $47.20 | With an 18% tip of $7.20 the total is $47.20.
    ! tip: 18% ($7.20), total $47.20 | With a 20% tip of $8.00 the total is $48.00.
    = {"market_cap":"1.28T","currency":"USD"} | Its market capitalisation is $1.28 trillion.
    ! {"market_cap":"1.28T","currency":"USD"} | Its market capitalisation is $1.28 billion.
    = Kaution: drei Monatsmieten (2.550 €) | Die Kaution beträgt 2.550 Euro, das sind drei Monatsmieten.
    ! Kaution: drei Monatsmieten (2.550 €) | Die Kaution beträgt 2.250 Euro, das sind drei Monatsmieten.
    = {"bids":[{"by":"A","gbp":310},{"by":"B","gbp":325}]} | The highest bid is £325 by B; A offered £310.
    ! {"bids":[{"by":"A","gbp":310},{"by":"B","gbp":325}]} | The highest bid is £352 by B; A offered £310.
    = {"subtotal":"84.50","tax":"6.76","total":"91.26","currency":"USD"} | Subtotal $84.50 + tax $6.76 = **$91.26** total.
    ! {"subtotal":"84.50","tax":"6.76","total":"91.26","currency":"USD"} | Subtotal $84.50 + tax $6.67 = **$91.26** total.
    = | plan | monthly | yearly |\\n| Pro | $12 | $120 | | The Pro plan is $12 a month or $120 a year.
    ! | plan | monthly | yearly |\\n| Pro | $12 | $120 | | The Pro plan is $10 a month if you pay $120 a year.
    = Deposit: USD 1,500 due at signing; balance USD 8,250. | You pay $1,500 at signing and $8,250 afterwards.
    ! Deposit: USD 1,500 due at signing; balance USD 8,250. | You pay $1,500 at signing and $8,520 afterwards.
    = {"wallet":{"BTC":0.0215,"ETH":1.4}} | You hold 0.0215 BTC and 1.4 ETH.
    ! {"wallet":{"BTC":0.0215,"ETH":1.4}} | You hold 0.215 BTC and 1.4 ETH.
    = Mindestbestellwert 25 €, Versand 4,95 € (ab 50 € frei) | Ab 50 Euro Bestellwert ist der Versand kostenlos, sonst kostet er 4,95 €.
    ! Mindestbestellwert 25 €, Versand 4,95 € (ab 50 € frei) | Ab 30 Euro Bestellwert ist der Versand kostenlos, sonst kostet er 4,95 €.
    = Prix : 39,99 € au lieu de 59,99 € | Il coûte actuellement 39,99 €, avant 59,99 €.
    ! Prix : 39,99 € au lieu de 59,99 € | Il coûte actuellement 39,99 €, soit 20 € de moins.
    = {"quote":{"symbol":"ACME","last":187.42,"change":-2.31,"change_pct":-1.22}} | ACME last traded at 187.42, down 2.31 (-1.22%).
    ! {"quote":{"symbol":"ACME","last":187.42,"change":-2.31,"change_pct":-1.22}} | ACME last traded at 187.42, up 2.31 (+1.22%).
    = {"hourly_rate":"45 EUR","hours":12} | 12 hours at €45 an hour.
    ! {"hourly_rate":"45 EUR","hours":12} | 12 hours at €45 an hour make €540.
    = La multa es de 200 euros, 100 € con pago anticipado | La multa es de 200 €, o 100 € si paga pronto.
    ! La multa es de 200 euros, 100 € con pago anticipado | La multa es de 200 €, o 150 € si paga pronto.
    = {"amount":"¥12,800","method":"card"} | We charged 12,800 yen to your card.
    ! {"limit":{"daily":"£300","remaining":"£120"}} | You can still withdraw £180 today.
    = Budget 2026: 1,2 Mio. EUR, davon 350 TEUR Personal | The 2026 budget is €1.2M, of which €350k is for staff.
    ! Budget 2026: 1,2 Mio. EUR, davon 350 TEUR Personal | The 2026 budget is €1.2M, of which €350M is for staff.
    = {"order_id":"48213","total":"129.90","currency":"EUR","status":"paid"} | Your order 48213 came to €129.90 and has been paid.
    ! {"order_id":"48213","total":"129.90","currency":"EUR","status":"paid"} | Your order 48213 came to €139.90 and has been paid.
    = {"balance_cents":450075,"currency":"USD"} | Your balance is $4,500.75.
    ! {"invoice":"INV-2231","due":"2026-03-14","amount":1840.5,"currency":"USD"} | Invoice INV-2231 over $1,840.50 carries a late fee of $25.
    = Refund policy: refunds up to $50 are automatic; above that a manager approves. | Refunds of up to fifty dollars are automatic.
    = {"price":{"amount":"1299","currency":"SEK"}} | The jacket costs 1 299 kr.
    ! {"price":{"amount":"1299","currency":"SEK"}} | The jacket costs 1 299 kr and shipping is 49 kr.
    = Der Gesamtbetrag beträgt 1.249,00 € inkl. MwSt. | Der Gesamtbetrag liegt bei 1249 Euro.
    ! Der Gesamtbetrag beträgt 1.249,00 € inkl. MwSt. | Der Gesamtbetrag liegt bei 1.294,00 €.
    = Le montant total est de 2 350,80 € TTC. | Le total s'élève à 2350,80 euros.
    ! Le montant total est de 2 350,80 € TTC. | Le total s'élève à 2 350,80 € dont 391,80 € de TVA.
    = El saldo pendiente es de 1.050,25 € | Su saldo pendiente es de 1050,25 euros.
    = {"salary_range":{"min":65000,"max":80000,"currency":"GBP"}} | The role pays £65k–£80k.
    ! {"salary_range":{"min":65000,"max":80000,"currency":"GBP"}} | The role pays £65k–£85k.
    = ARR: 3.4M USD (Q2) | ARR stood at $3.4 million in Q2.
    ! ARR: 3.4M USD (Q2) | ARR stood at $3.4 billion in Q2.
    ! {"fee":"CHF 15.00"} | The fee is €15.00.
    = {"items":[{"sku":"A1","qty":2,"unit_price":19.95},{"sku":"B7","qty":1,"unit_price":5.0}]} | You ordered 2 of A1 at 19.95 each and 1 of B7 at 5.00.
    ! {"items":[{"sku":"A1","qty":2,"unit_price":19.95},{"sku":"B7","qty":1,"unit_price":5.0}]} | You ordered 3 of A1 at 19.95 each and 1 of B7 at 5.00.
    = {"price_usd": 0.0025, "per":"1K tokens"} | It costs $0.0025 per 1,000 tokens.
    = {"discount_pct":15,"list":"$80.00"} | The list price of $80 is reduced by 15%.
    ! {"discount_pct":15,"list":"$80.00"} | The list price of $80 is reduced to $68.
    = {"net":-230.15} | You ended the month with -$230.15.
    ! {"net":-230.15} | You ended the month with a plus of +$230.15.
    ! {"price_mxn":300} | It costs $300 USD.
    ! {"total_pln":120} | The total is 120 €.
    ! {"cost_brl":45.5} | It costs US$45.50.
    = {"total_pln":120} | The total is 120 zł.
    = {"retry_try": 3} | It retried 3 times.
    = {"amountInHuf": 15000} | It is 15,000 Ft.
    ! fee: 50 CAD | The fee is $50 USD.
    = fee: 50 CAD | The fee is $50 CAD.
    = fee: $50 | The fee is $50 AUD.
    ! {"amount": 2.5, "currency": "MXN"} | It costs $2.5 USD.
    = fee: US$50 | The fee is $50 USD.
    ! fee: C$ 50 | The fee is $50 USD.
    = {"quarter":"Q3 2025","revenue_musd":48.2} | In Q3 2025 revenue was $48.2 million.
    ! {"quarter":"Q3 2025","revenue_musd":48.2} | In Q3 2025 revenue was $48.2 billion.
    ! {"revenue_musd":48.2} | Revenue was $48.2.
    ! {"revenue_musd":48.2} | Revenue was €48.2 million.
    = {"umsatz_teur": 1250} | Der Umsatz betrug 1.250.000 €.
    = {"umsatz_teur": 1250} | Der Umsatz betrug 1,25 Mio. €.
    = {"revenueMUSD": 3.1} | Revenue was 3.1 million dollars.
    = {"budget_mio_eur": 12} | The budget is €12 million.
    = {"usd_millions": 7.5} | It cost $7.5M.
    = {"revenue_in_thousands": 820, "currency":"GBP"} | Revenue was £820,000.
    = {"assets_bn_usd": 2.1} | Assets of $2.1bn.
    = {"fee_eur": 12} | The fee is €12.
    = {"amount_thb": 300} | It costs 300 THB.
    ! {"amount_m_usd": 3} | It costs $3.
    = {"price_mxn": 300} | It costs 300 MXN.
    = {"price_myr": 300} | It costs 300 MYR.
    = {"price_try": 300} | It costs 300 TRY.
    = {"price_kzt": 300} | It costs 300 KZT.
    = price 1200 | It costs $1,200.
    = price 1200 | 1 200 euros
    = {"price": 1200.5} | That is $1,200.50 in all.
    = total: 1.200,50 EUR | The total is €1,200.50.
    = {"total": 99.9} | You pay 99.90 €.
    = USD 45 | It costs US$45.
    = 45 dollars | It costs $45.
    = £30 | It is 30 GBP.
    = £30 | It is 30 pounds.
    = fee 250 | A fee of ₹250 applies.
    = {"amount": 50, "currency": "EUR"} | You get 50 € back.
    = {"price_usd": 50} | It costs $50.
    = 5,000,000 | Revenue was $5M.
    = revenue 5000000 | Revenue was $5 million.
    = $2.5bn | It is worth 2.5 billion dollars.
    = 2500 | It costs $2.5k.
    = 500 per month | $500/month
    = €500 monthly | 500 euros a month
    = 0.99 | It costs 99¢? No: it is $0.99.
    = {"amount_cents": 1999} | It costs $19.99.
    = balance: -50 USD | Your balance is -$50.
    = balance: -50 | Your balance is –$50.
    = refund 20 | We refunded $20.
    = {"salary": 75000} | The salary is $75k per year.
    = 1'250 CHF | Es kostet CHF 1250.
    = 1.250 € | It costs €1,250.
    = ¥1200 | It costs 1,200 yen.
    = 1200円 | It costs ¥1,200.
    = 3,50 € | It costs €3.50.
    = 12,50 | Das macht 12,50 Euro.
    = tip between 5 and 10 | A tip of $5-10 is usual.
    = {"min": 10, "max": 20} | It costs $10–$20.
    = $1.2 million | That is $1,200,000.
    = 10 lakh | It costs ₹10,00,000.
    = C$40 | That is 40 CAD.
    = cost 7 | It costs R$7.
    = price 19 | 19,- €
    ! price 50 | Das kostet 100€.
    ! price 50 | It costs US$500.
    ! price 50 | It costs ₹500.
    ! price 50 | It costs ~500.
    ! price 50 | You pay 500+ dollars
    ! price 50 | $500/month
    ! $50 | It costs €50.
    ! 50 EUR | It costs 50 GBP.
    ! {"amount": 50, "currency": "EUR"} | You get $50 back.
    ! {"price_usd": 50} | It costs 50 euros.
    ! price 1.2 | It costs $1,200.
    ! revenue 5 | Revenue was $5M.
    ! $5 million | Revenue was $5 billion.
    ! balance: -50 USD | Your balance is $50.
    ! balance 50 | Your balance is -$50.
    ! 500 per month | It is 500 per year.
    ! €500 monthly | 500 euros a week
    ! price 1200.50 | It costs $1,200.05.
    ! {"amount_cents": 1999} | It costs $1999.
    ! 2500 | It costs $2.4k.
    ! CA$40 | That is US$40.
    ! 1200 | It costs 12.00 €.
    ! 1200円 | It costs €1,200.
    ! $10-20 | It costs $10–$25.
    ! fee 15 | Eine Gebühr von 15,50 € fällt an.
    = {"preis": 1249.9} | Der Preis beträgt 1.249,90 €.
    = 1249,90 | C'est 1 249,90 €.
    = R$ 2.500,00 | Custa R$ 2500.
    = 2,500 | Custa R$ 2.500,00.
    = 3 crore | It costs ₹3,00,00,000.
    = {"betrag": -35.2} | Ihr Konto steht bei −35,20 €.
    = 1500 SEK | Det kostar 1 500 kr.
    = 120 zł | It is PLN 120.
    ! 1.249,90 € | Der Preis beträgt 12.499,00 €.
    ! R$ 2.500 | Custa US$ 2.500.
    ! 120 zł | It is 120 Kč.
    ! 2.5 million | It is 2.5 billion.
    ! {"price": 1999} | Es kostet 1.998 €.
    ! ₩15,000 | It costs ¥15,000.
    = Invoice total: 1.250,00 € | The invoice comes to €1,250.
    = {"price":"£19.99"} | It costs 19.99 pounds.
    ! {"price":"£19.99"} | It costs $19.99.
    = {"budget_usd": 2500000} | The budget is $2.5M.
    ! {"budget_usd": 2500000} | The budget is $2.5 billion.
    = Refund of USD 80.00 was issued | We refunded you $80.
    ! Refund of USD 80.00 was issued | We refunded you $800.
    = plan: $12/mo, billed annually | The plan is $12 per month.
    ! plan: $12/mo, billed annually | The plan is $12 per year.
    = {"balance": "-45.20 USD"} | Your balance is −$45.20.
    = {"fee":{"value":3500,"currency":"JPY"}} | The fee is ¥3,500.
    ! {"fee":{"value":3500,"currency":"JPY"}} | The fee is ¥35,000.
    = {"subtotal": "118.40", "tax": "9.47", "total": "127.87", "currency": "USD"} | Subtotal $118.40 plus $9.47 tax: $127.87.
    ! {"subtotal": "118.40", "tax": "9.47", "total": "127.87", "currency": "USD"} | Subtotal $118.40 plus $9.74 tax: $127.87.
    = The company raised €12 million in March | It raised 12M euros.
    ! The company raised €12 million in March | It raised 12M dollars.
    = monthly fee: 9,90 EUR | It is €9.90 a month.
    = {"price_per_night": 145, "currency": "CHF"} | A night costs CHF 145.
    ! {"price_per_night": 145, "currency": "CHF"} | A night costs CHF 154.
    = market cap $1.35 trillion | The market cap is $1,350 billion.
    = Gebühr: 2 500,00 Kč | The fee is CZK 2,500.
    ! credit: -£15.00 | You have a credit of £51.
    = You owe 86 dollars and 40 cents | You owe $86.40.
    ! You owe 86 dollars and 40 cents | You owe $86.04.
    = {"items":[{"name":"Mug","price":8.5},{"name":"Tee","price":22}],"currency":"EUR"} | The mug is €8.50, the tee €22.
    ! {"items":[{"name":"Mug","price":8.5},{"name":"Tee","price":22}],"currency":"EUR"} | The mug is $8.50.
    = Net income: (3,400) | A net loss of 3,400
    = S$18.90 | SGD 18.90
    = ticket from 49 € | from €49
    ! deposit £200 pcm | a deposit of £250 pcm
    = {"gross":"4 000,00","currency":"PLN"} | 4000 zł gross
    = {"amount": 1234.5, "currency": "USD"} | That's US$ 1,234.50 total.
    = total 1,234.50 | Total: 1.234,50 €
    = price: 5k EUR | €5,000
    = {"min_price": 10, "max_price": 20, "currency": "GBP"} | £10 to £20
    = ($45.00) | a loss of $45
    ! ($45.00) | a gain of $45
    = $3.50/lb | $3.50 per pound
    ! $3.50/lb | $3.50 per kg
    = USD 1.5 trillion | $1.5tn
    = 20 cents | $0.20
    ! 20 cents | $20
    = €12.50 pp | 12.50 euros per person
    = Rs. 1,50,000 | ₹150,000
    = {"cost":"0.0025"} | It cost $0.0025.
    = 15 EUR (incl. 19% VAT) | 15 € including 19 % VAT
    ! 15 EUR (incl. 19% VAT) | 15 € including 7 % VAT
    = $1,000.00 | one thousand dollars ($1,000)
    = 2 x $15 = $30 | two tickets at $15 each, $30 in total
    = {"price":49} | $49.00 USD
    = AUD 75 | A$75
    ! AUD 75 | NZ$75
    = CHF 12.- | 12 francs
    = 3,99 zł | 3.99 PLN
    = {"charge":{"amount":64.25,"currency":"gbp"}} | You were charged £64.25.
    ! {"charge":{"amount":64.25,"currency":"gbp"}} | You were charged £46.25.
    = Your new premium is $1,084.00 a year. | It is $1,084 annually.
    ! Your new premium is $1,084.00 a year. | It is $1,084 monthly.
    = Kaution: 3.600 EUR | a deposit of 3600 euros
    = net 30, total 5.2k USD | $5,200 in total
    = net result of ($45.10) for the quarter | The net result was -$45.10.
    = {"net_income_eur":-8200} | Net income: (€8,200)
    = {"fee_usd":12} | There is a service fee ($12) per booking.
    ! {"fee_usd":-12} | There is a service fee ($12) per booking.
    ! {"balance_usd":312.4} | The balance is ($312.40).
    ! {"profit_gbp":8200} | The profit was (£8,200).
    = {"guests":12} | The group (12) has arrived.
    ! {"balance_usd":-312.4} | The balance is ($321.40).
    ? {"total":"€ 1█.50"} | The total is €12.50.
    ? {"total":"12.50�"} | The total is €12.50.
    ! {"total":"€ 1█.50"} | The total is €22.50.
    = {"total":"€1█.50"} | The total is €1█.50.
    ? {"total_usd":184.5} | The total is $██.50.
    = balance ****1234, $20 | The card ****1234 has $20.
    = Progress ████░░ 60% | It is 60% done.
    ! Progress ████░░ 60% | It is 65% done.
    = Budget: half a million dollars | The budget is $500,000.
    ! Budget: half a million dollars | The budget is $5,000,000.
    = one and a half million euros | €1.5 million
    = a quarter of a million dollars | $250,000
    ! two and a half million | 3.5 million
    = five to ten dollars | $5–10
    = {"fee_usd":20} | It costs twenty dollars.
    ! {"fee_usd":20} | It costs thirty dollars.
    = {"unit_price":{"amount":2.49,"currency":"EUR","per":"kg"}} | It costs €2.49/kg.
    = 2,49 €/kg | That is €2.49 per kilo.
    ! 2,49 €/kg | That is €2.94 per kilo.
    ! 2,49 €/kg | That is €2.49 per 100 g.
    = AAPL 187.44 (+1.2%) | Apple rose 1.2% to $187.44.
    ! AAPL 187.44 (+1.2%) | Apple fell 1.2% to $187.44.
    = {"check_in":"2025-08-01","check_out":"2025-08-04","nights":3,"total":"EUR 435.00"} | 3 nights, 1–4 August 2025, €435 in total.
    ! {"check_in":"2025-08-01","check_out":"2025-08-04","nights":3,"total":"EUR 435.00"} | 3 nights, 1–5 August 2025, €435 in total.
    = {"price":"US$1.299,00"} | $1,299
    = {"qty":2,"unit_price":19.99,"line_total":39.98} | 2 × $19.99 = $39.98
    ! {"qty":2,"unit_price":19.99,"line_total":39.98} | 2 × $19.99 = $39.89
    = {"rate":"1 EUR = 1.0845 USD"} | 1 euro is 1.0845 dollars.
    ! {"rate":"1 EUR = 1.0845 USD"} | 1 euro is 1.0854 dollars.
    = {"fare":{"value":"64.20","currency":"EUR"},"seat":"12F"} | Seat 12F costs 64,20 €.
    = Premium 482.- CHF pro Quartal | The premium is CHF 482 per quarter.
    = {"rent_gbp_pcm": 1450} | The rent is £1,450 per month.
    = Subvention accordée : 3 M€ | A grant of 3 million euros was awarded.
    = R$ 2.349,90 à vista | It costs R$2,349.90 in cash.
    = {"salary_range":{"min":52000,"max":61000,"currency":"USD"}} | The salary lies between $52k and $61k.
    = 잔액: ₩1,250,000 | Your balance is 1,250,000 won.
    = {"deposit":{"minor_units":250000,"currency":"EUR"}} | A deposit of €2,500 is due.
    = Ticket 15,50 zł, ulgowy 9 zł | The reduced ticket costs PLN 9 and the full one PLN 15.50.
    = Mortgage balance outstanding 248,913.07 USD | You still owe $248,913.07 on the mortgage.
    ! {"fare":{"value":"64.20","currency":"EUR"}} | The fare is 46.20 €.
    ! Gas bill: £86.14 | Your gas bill is £86.41.
    ! {"tip_usd":7} | A tip of seventy dollars was added.
    ! {"subtotal_eur":120,"vat_eur":24} | The subtotal is €120 and the VAT is €22.80.
    ! Grant of 3 M€ | A grant of 3 billion euros was awarded.
    = {"order":{"total":"1249.00","currency":"USD"},"items":3} | Your order of 3 items comes to $1,249.00.
    = Balance due: EUR 1.249,50 | You owe €1,249.50.
    = {"amount": -45.9, "currency": "GBP", "type": "refund"} | A refund of £45.90 appears as −£45.90 on the statement.
    = Invoice total CHF 12'480.35 (net 30 days) | The invoice is for CHF 12,480.35, payable within 30 days.
    = {"mrr_usd": 18400} | Monthly recurring revenue is $18.4k.
    = Seed round: US$2.75M led by two funds | They raised $2.75 million.
    = ¥１２，８００（税込） | 12,800 yen including tax.
    = {"price_cents": 1999, "currency": "usd"} | The plan costs $19.99.
    = Le loyer est de 1 050 € par mois. | Rent is €1,050/month.
    = {"tiers":[{"name":"Pro","price":"$29/mo"},{"name":"Team","price":"$99/mo"}]} | Pro is $29 per month and Team is $99 per month.
    = Fee: 75¢ per transaction | Each transaction costs $0.75.
    = Kaution: 2.400,- Euro | The deposit is 2400 euros.
    = {"budget":"₹12,50,000"} | The budget is ₹1,250,000.
    ! {"order":{"total":"1249.00","currency":"USD"}} | Your order comes to $1,294.00.
    ! Balance due: EUR 1.249,50 | You owe $1,249.50.
    ! {"mrr_usd": 18400} | Monthly recurring revenue is $18.4M.
    ! {"tiers":[{"name":"Pro","price":"$29/mo"}]} | Pro is $29 per year.
    ! {"net_change_usd": -320.5} | You gained $320.50 this week.
    ! Fee: 75¢ per transaction | Each transaction costs $75.
    ! Le loyer est de 1 050 € par mois. | Rent is €1,500 a month.
    = {"items":[{"name":"Brot","preis":3.2},{"name":"Milch","preis":1.19}],"waehrung":"EUR"} | Das Brot kostet 3,20 € und die Milch 1,19 €.
    = Überweisung: 1 Mio. € an Lieferant | Es wurden 1 Million Euro überwiesen.
    = Umsatz 4,3 Mrd. Euro | Der Umsatz lag bei 4,3 Milliarden Euro.
    = Coste: 3.500 € (tres mil quinientos euros) | El coste es de tres mil quinientos euros.
    = Total : 99,90 € TTC | Le total est de quatre-vingt-dix-neuf euros et quatre-vingt-dix centimes (99,90 €).
    = 売上は3億5000万円 | 売上は3.5億円でした。
    = {"amount":"1,00,000.00","currency":"INR"} | You paid ₹1 lakh.
    = Presupuesto: 2,5 millones de dólares | El presupuesto es de 2.500.000 dólares.
    = Price: AU$64 | It costs A$64.
    = £3bn investment | An investment of £3 billion.
    = kr 1 299,- inkl. moms | Prisen er 1299 kr.
    = Saldo: −1.234,56 € | Ihr Konto ist mit 1.234,56 € im Minus (−1.234,56 €).
    = ($1,250.00) net loss | The net loss was $1,250.
    ! Überweisung: 1 Mio. € an Lieferant | Es wurde 1 Milliarde Euro überwiesen.
    ! 売上は3億5000万円 | 売上は35億円でした。
    ! Coste: 3.500 € | El coste es de tres mil cincuenta euros.
    ! Price: AU$64 | It costs US$64.
    ! {"amount":"1,00,000.00","currency":"INR"} | You paid ₹10 lakh.
    ! Presupuesto: 2,5 millones de dólares | El presupuesto es de 2,5 millones de pesos.
    ! £3bn investment | An investment of £3 million.
    ! kr 1 299,- inkl. moms | Prisen er 1929 kr.
    = id,item,price\\n7,Lampe,"1.299,00 €" | Die Lampe kostet 1299 Euro.
    = {"quote":{"net":840.0,"vat_rate":0.19,"gross":999.6},"currency":"EUR"} | Net €840.00 plus 19% VAT makes €999.60 gross.
    = Transaction of -$12.00 (ATM fee) posted | A $12.00 ATM fee was charged.
    = {"limit":"€1.5k"} | Das Limit beträgt 1.500 €.
    = Gehalt: 4.200 € brutto/Monat | The gross salary is €4,200 a month.
    = Donation goal: £250k, raised £187,430 so far | They have raised £187,430 of a £250,000 goal.
    = {"fares":[{"class":"eco","eur":129},{"class":"flex","eur":189}]} | Eco is 129 €, flex is 189 €.
    = 料金：大人1,800円、子ども900円 | 大人は1800円、子どもは900円です。
    = Precio: 49,95€ (IVA incl.) | El precio es de 49,95 euros, IVA incluido.
    = amount_due=72.5 currency=CHF | You owe CHF 72.50.
    = market cap: $3.12T | Its market cap is $3.12 trillion.
    = Budget 2,4 Mio. CHF | Das Budget beträgt CHF 2,4 Millionen.
    ! id,item,price\\n7,Lampe,"1.299,00 €" | Die Lampe kostet 12,99 Euro.
    ! {"quote":{"net":840.0,"vat_rate":0.19,"gross":999.6},"currency":"EUR"} | Gross it is €996.90.
    ! Gehalt: 4.200 € brutto/Monat | The gross salary is €4,200 per year.
    ! Donation goal: £250k, raised £187,430 so far | They have raised £187.43 of the goal.
    ! {"fares":[{"class":"eco","eur":129}]} | Eco is $129.
    ! 料金：大人1,800円 | 大人は1万8000円です。
    ! market cap: $3.12T | Its market cap is $3.12 billion.
    ! Budget 2,4 Mio. CHF | Das Budget beträgt 2,4 Mio. EUR.
    = {"invoice":{"lines":[{"desc":"Hosting","amount":"19.90"},{"desc":"Domain","amount":"12.00"}],"total":"31.90","currency":"EUR"}} | Hosting 19,90 € + Domain 12,00 € = 31,90 €.
    = Prix : 1 999,99 $ CA | It costs CA$1,999.99.
    = Bitcoin 61,204.55 USD (+2.1 %) | Bitcoin is at $61,204.55, up 2.1%.
    = {"hourly_rate":"85 EUR"} | Der Stundensatz ist 85 €.
    = wage: NOK 215/hr | The wage is 215 NOK per hour.
    = Kontostand: 3.005,07 EUR Soll | Ihr Kontostand liegt bei 3.005,07 EUR im Soll.
    = subsidy of EUR 40 million | Une subvention de 40 M€.
    = 2 Tickets à 35 € = 70 € | Zwei Tickets zu je 35 € kosten 70 €.
    = ₺1.250 / ay | Fee: 1,250 lira.
    = {"price":{"amount":149900,"exponent":2,"currency":"INR"}} | The price is 1,499 rupees.
    = Spende: fünfzig Euro | A donation of €50.
    = 月額980円 | 980 yen a month.
    ! Prix : 1 999,99 $ CA | It costs US$1,999.99.
    ! Bitcoin 61,204.55 USD (+2.1 %) | Bitcoin is at $61,204.55, down 2.1%.
    ! wage: NOK 215/hr | The wage is 215 NOK per day.
    ! subsidy of EUR 40 million | Une subvention de 40 k€.
    ! 2 Tickets à 35 € = 70 € | Zwei Tickets zu je 70 € kosten 140 €.
    ! {"hourly_rate":"85 EUR"} | Der Stundensatz ist 85 CHF.
    ! Spende: fünfzig Euro | A donation of €15.
    ! 月額980円 | 980 dollars a month.
    ! A$30 cover charge | The cover charge is 30 euros.
    ! Kontostand: 3.005,07 EUR | Ihr Kontostand liegt bei 3.050,07 EUR.
    = The customer paid 3 x $19.99 | They paid three times $19.99.
    = {"cart":{"subtotal":"89,97 €","shipping":"4,90 €","total":"94,87 €"}} | Subtotal €89.97, shipping €4.90, total €94.87.
    = Tarif : 0,12 €/kWh | The rate is €0.12 per kWh.
    = Payroll for May: USD 1,204,388.17 | May payroll came to $1,204,388.17.
    = Nennwert 1.000 EUR, Kurs 98,25 % | Face value €1,000, price 98.25 %.
    = {"bid":1.0842,"ask":1.0845} | Bid 1.0842, ask 1.0845.
    = Multa de 200 euros | A fine of €200.
    = coste anual: 1.140 € (95 €/mes) | 95 € al mes, 1.140 € al año.
    = Raised Rs 5 crore | They raised ₹50 million.
    = premium 37p per day | The premium is £0.37 a day.
    = overdraft: GBP -212.40 | You are £212.40 overdrawn.
    ! The customer paid 3 x $19.99 | They paid three times $29.99.
    ! Tarif : 0,12 €/kWh | The rate is €0.12 per MWh.
    ! Payroll for May: USD 1,204,388.17 | May payroll came to $1,204,388.71.
    ! Nennwert 1.000 EUR, Kurs 98,25 % | Face value €10,000.
    ! {"bid":1.0842,"ask":1.0845} | Bid 1.0842, ask 1.0854.
    ! coste anual: 1.140 € (95 €/mes) | 95 € al año.
    ! Raised Rs 5 crore | They raised ₹5 million.
    ! premium 37p per day | The premium is £37 a day.
    ! overdraft: GBP -212.40 | Your balance is +£212.40.
    ! 12 € pro Monat | 12 € pro Woche
    = {"plan":"Business","price_monthly":24,"price_annual":240,"currency":"USD"} | Business is $24 a month or $240 a year.
    = Rechnung Nr. 88: 3 Pos., Summe 1.047,20 € inkl. 19 % MwSt. | Die Rechnung 88 hat 3 Positionen und beträgt 1.047,20 €.
    = Your refund of $54.99 will post in 3-5 days | A refund of $54.99 arrives within 3 to 5 days.
    = Le budget passe de 1,2 à 1,5 million d'euros | The budget rises from €1.2 million to €1.5 million.
    = {"wallet":{"balance":"0.0425","asset":"BTC"}} | You hold 0.0425 BTC.
    = 価格：￥３，９８０ | ¥3,980です。
    = savings 20 EUR (25 %) | You save €20, or 25%.
    = fine: $2 thousand | a $2,000 fine
    ? 5 Cent pro Flasche | 5 cents per bottle
    = El total asciende a 12.345,60 euros. | 12,345.60 EUR in total
    = AED 1,500 / night | 1,500 dirhams a night
    ! {"plan":"Business","price_monthly":24,"price_annual":240,"currency":"USD"} | Business is $42 a month.
    ! Your refund of $54.99 will post in 3-5 days | A refund of $45.99 arrives within 3 to 5 days.
    ! Le budget passe de 1,2 à 1,5 million d'euros | The budget rises from €1.2 million to €1.5 billion.
    ! {"wallet":{"balance":"0.0425","asset":"BTC"}} | You hold 0.0425 ETH and 0.452 BTC.
    ! 価格：￥３，９８０ | 3,980ドルです。
    ! savings 20 EUR (25 %) | You save €25, or 20%.
    ! 5 Cent pro Flasche | 5 euros per bottle
    ! El total asciende a 12.345,60 euros. | 12.34 EUR in total
    ! AED 1,500 / night | SAR 1,500 a night
    ! 300 Kč | 300 zł
    = {"product":"Desk","price":{"currency":"USD","amount":"349.00"},"discount_percent":10} | The desk costs $349.00 with a 10% discount.
    = Refund approved: 84.20 EUR to card ****1881 | €84.20 will go back to the card ending in 1881.
    = Cost estimate: $0.0042 per request | Each request costs about $0.0042.
    = {"total_cents":129900} | The total is $1,299.00.
    = Gesamt 59,98 € (2 × 29,99 €) | Zwei Stück zu 29,99 € ergeben 59,98 €.
    = annual salary 64,000 GBP | a salary of £64k per year
    = {"balance":-230.15,"currency":"EUR"} | Your account is overdrawn by €230.15.
    = $1.2B revenue, $310M profit | Revenue was $1.2 billion and profit $310 million.
    = La facture s'élève à 2 345,67 €. | The invoice is €2,345.67.
    ! {"product":"Desk","price":{"currency":"USD","amount":"349.00"}} | The desk costs $394.00.
    ! Refund approved: 84.20 EUR | €48.20 will go back to you.
    ! Cost estimate: $0.0042 per request | Each request costs $0.042.
    ! {"total_cents":129900} | The total is $129,900.
    ! Gesamt 59,98 € (2 × 29,99 €) | Zwei Stück ergeben 69,98 €.
    ! annual salary 64,000 GBP | a salary of €64,000
    ! $1.2B revenue | Revenue was $12 billion.
    ! La facture s'élève à 2 345,67 €. | The invoice is €2,345.76.
    = 1 234 567,89 € | €1,234,567.89
    = 1’250’000 CHF | CHF 1.25M
    = ２５０００円 | ¥25,000
    = approx. $3,400 | roughly $3,400
    = USD 7.5k | $7,500
    = -€75.00 | minus €75
    = £12m | 12 million pounds
    = 3,5 Mio. € | 3.500.000 €
    = {"fee":"two hundred dollars"} | The fee is $200.
    = five thousand euros | 5.000 €
    ! 1 234 567,89 € | €1,234,576.89
    ! 1’250’000 CHF | CHF 12.5M
    ! ２５０００円 | ¥2,500
    ! USD 7.5k | $75,000
    ! -€75.00 | plus €75
    ! £12m | 12 billion pounds
    ! 3,5 Mio. € | 350.000 €
    ! five thousand euros | 500 €
  `,
  dates: `
    = from 11 to 13 January | January 11 to 13
    ! from 11 to 13 January | January 11 to 12
    = {"appointment":{"date":"2026-02-19","time":"08:40","doctor":"Dr. Lam"}} | You see Dr. Lam on Thursday, 19 February, at 8:40 am.
    ! {"appointment":{"date":"2026-02-19","time":"08:40","doctor":"Dr. Lam"}} | You see Dr. Lam on Thursday, 26 February, at 8:40 am.
    = TÜV fällig 09/2026, letzte Inspektion 14.10.2025 bei 48.210 km | The inspection is due in September 2026; the last service was on 14 October 2025 at 48,210 km.
    ! TÜV fällig 09/2026, letzte Inspektion 14.10.2025 bei 48.210 km | The inspection is due in October 2026; the last service was on 14 October 2025 at 48,210 km.
    = published May 2, 2025; revised Aug 19, 2025 (rev. 3) | It was published on 2 May 2025 and revised on 19 August 2025.
    ! published May 2, 2025; revised Aug 19, 2025 (rev. 3) | It was published on 2 May 2025 and revised on 9 August 2025.
    = {"billing_day":28,"next":"2026-02-28"} | You are billed on the 28th of each month, next on February 28, 2026.
    ! {"billing_day":28,"next":"2026-02-28"} | You are billed on the 18th of each month, next on February 28, 2026.
    = Le magasin fermera définitivement fin mars 2026 | The shop closes for good at the end of March 2026.
    ! Le magasin fermera définitivement fin mars 2026 | The shop closes for good at the end of April 2026.
    = Nacido el 23 de abril de 1616 | He was born on 23 April 1616.
    ! Nacido el 23 de abril de 1616 | He was born on 23 April 1661.
    = {"incident":{"start":"2026-01-11T22:48:00Z","end":"2026-01-12T01:05:00Z"}} | The incident lasted from 22:48 UTC on January 11 to 01:05 UTC on January 12.
    ! {"incident":{"start":"2026-01-11T22:48:00Z","end":"2026-01-12T01:05:00Z"}} | The incident lasted from 22:48 UTC on January 11 to 01:50 UTC on January 12.
    = Schuljahr 2026/2027 beginnt am 7. September | The school year 2026/2027 begins on September 7.
    ! Schuljahr 2026/2027 beginnt am 7. September | The school year 2026/2027 begins on September 17.
    ! load 2.4 | The load is 4.2.
    = Termin am 3.2. | Your appointment is on 3 February.
    ! Termin am 3.2. | Your appointment is on 2 March.
    = {"issued":"2025-07-04","expires":"2035-07-03"} | Your passport was issued on 4 July 2025 and is valid until 3 July 2035.
    ! {"issued":"2025-07-04","expires":"2035-07-03"} | Your passport was issued on 4 July 2025 and is valid until 3 July 2030.
    = Abgabe bis Freitag, 30.01., 12 Uhr | Hand it in by Friday, January 30, at noon.
    ! Abgabe bis Freitag, 30.01., 12 Uhr | Hand it in by Friday, January 31, at noon.
    = {"deploys":["2026-01-07T10:12Z","2026-01-08T09:55Z"]} | There were deploys on Jan 7 at 10:12 and on Jan 8 at 09:55 UTC.
    ! {"deploys":["2026-01-07T10:12Z","2026-01-08T09:55Z"]} | There were deploys on Jan 7 at 10:12 and on Jan 9 at 09:55 UTC.
    = Réunion du 03/02/26 reportée au 10/02/26 | The meeting of 3 February 2026 was moved to 10 February 2026.
    ! Réunion du 03/02/26 reportée au 10/02/26 | The meeting of 3 February 2026 was moved to 17 February 2026.
    = {"elected":2019,"term_ends":2027} | She was elected in 2019; her term ends in 2027.
    ! {"elected":2019,"term_ends":2027} | She was elected in 2019; her term ends in 2028.
    = Vacaciones: del 3 al 17 de agosto | The holidays are from 3 to 17 August.
    ! Vacaciones: del 3 al 17 de agosto | The holidays are from 3 to 18 August.
    = mail of Mon, 5 Jan 2026 08:14:33 +0100 | The mail came on 5 January 2026 at 8:14.
    ! mail of Mon, 5 Jan 2026 08:14:33 +0100 | The mail came on 5 January 2026 at 8:41.
    = {"season":"2025/26","matchday":17} | It was matchday 17 of the 2025/26 season.
    ! {"season":"2025/26","matchday":17} | It was matchday 18 of the 2025/26 season.
    ! {"fiscal_year":"FY2024/25","quarter":4} | In Q3 of fiscal year 2024/25.
    = {"year":2025,"quarter":2,"revenue":10} | In Q2 2025 revenue was 10.
    ! {"year":2025,"quarter":2,"revenue":10} | In Q2 2024 revenue was 10.
    = {"week":7,"year":2026} | It is due in week 7 of 2026.
    ! {"starts":"20260613T160000","ends":"20260613T173000"} | It starts at 4 pm on 13 June 2026 and ends at 6:30 pm.
    = DTSTART:20260613T160000Z | It starts on 13 June 2026 at 16:00 UTC.
    ! DTSTART:20260613T160000Z | It starts on 13 June 2026 at 17:00 UTC.
    = {"half":1,"year":2026} | In H1 2026.
    = Next maintenance: Sat 17 Jan 2026, 01:00–03:00 UTC | The next maintenance is on Saturday, January 17, 2026, between 01:00 and 03:00 UTC.
    ! Next maintenance: Sat 17 Jan 2026, 01:00–03:00 UTC | The next maintenance is on Saturday, January 17, 2026, between 01:00 and 04:00 UTC.
    = {"dob":"1990-02-28","age":35} | The patient, born 28/02/1990, is 35 years old.
    ! {"dob":"1990-02-28","age":35} | The patient, born 28/02/1990, is 36 years old.
    = Bewerbungsschluss ist der 15. Mai, Vorlesungsbeginn der 12. Oktober 2026 | Applications close on 15 May; lectures start on 12 October 2026.
    ! Bewerbungsschluss ist der 15. Mai, Vorlesungsbeginn der 12. Oktober 2026 | Applications close on 15 March; lectures start on 12 October 2026.
    = {"holidays":["2026-04-03","2026-04-06"]} | Good Friday is on April 3 and Easter Monday on April 6, 2026.
    ! {"holidays":["2026-04-03","2026-04-06"]} | Good Friday is on April 3 and Easter Monday on April 7, 2026.
    = Factura del 12/11/2025, vence el 12/12/2025 | La factura del 12 de noviembre vence el 12 de diciembre de 2025.
    ! Factura del 12/11/2025, vence el 12/12/2025 | La factura del 12 de noviembre vence el 22 de diciembre de 2025.
    = {"built":1893,"restored":"1999-2003"} | It was built in 1893 and restored between 1999 and 2003.
    ! {"built":1893,"restored":"1999-2003"} | It was built in 1893 and restored between 1999 and 2005.
    = Ouvert du 1er avril au 31 octobre | It is open from 1 April to 31 October.
    ! Ouvert du 1er avril au 31 octobre | It is open from 1 April to 30 September.
    = {"fiscal_year":"FY2024/25","quarter":4} | In Q4 of fiscal year 2024/25.
    = {"starts":"20260613T160000","ends":"20260613T173000"} | It starts at 4 pm on 13 June 2026 and ends at 5:30 pm.
    ! {"starts":"20260613T160000","ends":"20260613T173000"} | It starts at 4 pm on 13 June 2026 and ends at 5:45 pm.
    = {"checkin":"2026-08-02","checkout":"2026-08-09","nights":7} | You stay 7 nights, from Sunday, 2 August 2026 to Sunday, 9 August 2026.
    ! {"checkin":"2026-08-02","checkout":"2026-08-09","nights":7} | You stay 8 nights, from Sunday, 2 August 2026 to Sunday, 9 August 2026.
    = Last login 2026-01-05 (3 failed attempts since) | Your last login was on Jan 5; there were 3 failed attempts since.
    ! Last login 2026-01-05 (3 failed attempts since) | Your last login was on Jan 5; there were 5 failed attempts since.
    = {"policy":{"effective":"01/07/2026","expires":"30/06/2027"}} | The policy runs from 1 July 2026 until 30 June 2027.
    ! {"policy":{"effective":"01/07/2026","expires":"30/06/2027"}} | The policy runs from 1 July 2026 until 30 June 2028.
    = Rechnung vom 28.11.2025, fällig in 14 Tagen | The invoice of 28 November 2025 is due within 14 days.
    ! Rechnung vom 28.11.2025, fällig in 14 Tagen | The invoice of 28 November 2025 is due on 12 December 2025.
    = La cita es el 5/3/2026 a las 10:30 | La cita es el 5 de marzo de 2026 a las 10:30.
    ! La cita es el 5/3/2026 a las 10:30 | La cita es el 15 de marzo de 2026 a las 10:30.
    = Le rendez-vous du mardi 14 avril 2026 est confirmé | Your appointment on Tuesday, April 14th, 2026 is confirmed.
    ! Le rendez-vous du mardi 14 avril 2026 est confirmé | Your appointment on Tuesday, April 14th, 2025 is confirmed.
    = {"updated_at":"Tue, 09 Dec 2025 16:20:00 GMT"} | It was last updated on December 9, 2025 at 4:20 PM GMT.
    ! {"updated_at":"Tue, 09 Dec 2025 16:20:00 GMT"} | It was last updated on December 9, 2025 at 4:02 PM GMT.
    = {"ts":1767225600} | That was on 1 January 2026 at 00:00 UTC.
    ! {"created_at":1767225600} | That was on 2 January 2026.
    = {"week":"2026-W07"} | It is planned for week 7 of 2026.
    ! {"week":"2026-W07"} | It is planned for week 8 of 2026.
    = Warranty: 24 months from purchase (2024-10-19) | Your two-year warranty began on October 19, 2024.
    ! Warranty: 24 months from purchase (2024-10-19) | Your three-year warranty began on October 19, 2024.
    = {"departure":"2026-04-09T07:35:00+02:00"} | You leave on April 9, 2026 at 7:35 am.
    ! {"departure":"2026-04-09T07:35:00+02:00"} | You leave on April 19, 2026 at 7:35 am.
    = {"start":"2026-05-18","end":"2026-05-22"} | The course runs from 18 to 22 May 2026.
    ! {"start":"2026-05-18","end":"2026-05-22"} | The course runs from 18 to 23 May 2026.
    = Lieferung voraussichtlich am 3. Februar 2027 | Delivery is expected on 03.02.2027.
    ! Lieferung voraussichtlich am 3. Februar 2027 | Delivery is expected on 03.03.2027.
    = {"renews_on":"2027-01-31"} | Su suscripción se renueva el 31 de enero de 2027.
    ! {"renews_on":"2027-01-31"} | Su suscripción se renueva el 30 de enero de 2027.
    = Le contrat prend effet le 1er juillet 2026. | The contract takes effect on July 1st, 2026.
    ! Le contrat prend effet le 1er juillet 2026. | The contract takes effect on June 1st, 2026.
    = {"born":"1987-11-02"} | She was born on Nov 2, 1987.
    ! {"born":"1987-11-02"} | She was born on Nov 2, 1978.
    = {"closed":["2026-12-24","2026-12-25"]} | We are closed on 24 and 25 December 2026.
    = {"created":"2025-08-14T22:03:11Z"} | The ticket was opened on 14 August 2025 at 22:03 UTC.
    ! {"created":"2025-08-14T22:03:11Z"} | The ticket was opened on 14 August 2025 at 21:03 UTC.
    ! {"quarter":"Q3 2025","revenue_musd":48.2} | In Q4 2025 revenue was $48.2 million.
    = Founded in 1998, relaunched 2011. | The company was founded in 1998 and relaunched in 2011.
    ! Founded in 1998, relaunched 2011. | The company was founded in 1998 and relaunched in 2012.
    = {"valid_until":"12/27"} | Your card is valid until 12/27.
    = {"hired":"2019-06"} | He joined in June 2019.
    ! {"hired":"2019-06"} | He joined in July 2019.
    = {"events":[{"d":"2026-03-01"},{"d":"2026-03-08"},{"d":"2026-03-15"}]} | It takes place on March 1, 8 and 15.
    ! {"events":[{"d":"2026-03-01"},{"d":"2026-03-08"},{"d":"2026-03-15"}]} | It takes place on March 1, 8 and 22.
    = {"events":[{"d":"2026-03-01"},{"d":"2026-03-08"},{"d":"2026-03-15"}]} | Die Termine sind am 1., 8. und 15. März 2026.
    ! {"events":[{"d":"2026-03-01"},{"d":"2026-03-08"},{"d":"2026-03-15"}]} | Die Termine sind am 1., 9. und 15. März 2026.
    = ["2026-05-04","2026-05-05","2026-05-06"] | Los días 4, 5 y 6 de mayo de 2026.
    = ["2026-05-04","2026-05-05","2026-05-06"] | On May 4, 5, and 6, 2026.
    = les 4, 5 et 6 mai 2026 | It is on May 5, 2026.
    = {"date":"2026-03-01","rooms":8} | On March 1, 8 rooms were free.
    = eta 2025-03-09 | It comes on 03/09/2025
    = eta 2025-03-09 | It comes on 09/03/2025
    = eta 2025-03-09 | It comes on March 9, 2025.
    = eta 2025-03-09 | It comes on 9 March 2025.
    = eta 2025-03-09 | It comes on the 9th of March.
    = eta 2025-03-09 | It comes on Mar 9.
    = eta 2025-03-09 | It comes on the 9th.
    = eta 2025-03-09 | Am 9. März 2025 kommt es.
    = eta 2025-03-09 | Am 9.3.2025 kommt es.
    = eta 2025-03-09 | Le 9 mars 2025.
    = eta 2025-03-09 | It comes on 3/9/25.
    = eta 2025-03-09 | It comes on 09.03.25.
    = eta 2025-03-09 | It comes in March 2025.
    = eta 2025-03-09 | It comes in 2025.
    = eta 2025-03-09 | 2025年3月9日に届きます。
    = March 9th, 2025 | due: 2025-03-09
    = {"due": "2025-03-09T00:00:00Z"} | It is due on Sunday, March 9, 2025.
    = {"due": "20250309"} | It is due on 2025-03-09.
    = 09/03/2025 | It is due on 9 March 2025.
    = on 9 March | due 2025-03-09
    = from 2025-03-09 to 2025-03-12 | From March 9 to 12, 2025.
    = 2025-03-09 and 2025-03-12 | It is open 9–12 March 2025.
    = Dec 31 1999 | It was on 31/12/99.
    = {"month": "2025-03"} | It is billed in March 2025.
    = 2025-11-03 | on 3-Nov-2025
    ! eta 2025-03-09 | It comes on March 10, 2025.
    ! eta 2025-03-09 | It comes on 04/09/2025
    ! eta 2025-03-09 | It comes on 9 March 2024.
    ! eta 2025-03-09 | It comes on the 10th.
    ! eta 2025-03-09 | It comes in April 2025.
    ! eta 2025-03-09 | It comes on 3/9/26.
    ! eta 2025-03-09 | It takes 9 days.
    ! eta 2025-03-09 | It costs $9.
    ! eta 2025-03-09 | It costs 2025 €.
    ! eta 2025-03-09 | Am 19.3.2025 kommt es.
    ! on 9 March | It is due on 9 May.
    ! March 2025 | It is due in March 2026.
    ! from 2025-03-09 to 2025-03-12 | From March 9 to 13, 2025.
    ! 2025-12-31 | It was on 30/12/2025.
    ! {"due": "20250309"} | It is due on 2025-03-19.
    = 2025-11-03 | Am 3. November 2025.
    = 2025-11-03 | le 3 novembre 2025
    = 2025-11-03 | el 3 de noviembre de 2025
    = 2025年11月3日 | It was on November 3, 2025.
    = 03.11.2025 | 2025-11-03
    = 2025-11-03T23:15:00Z | on 3 Nov 2025
    ! 2025-11-03 | Am 4. November 2025.
    ! 2025-11-03 | le 3 décembre 2025
    ! 2025年11月3日 | November 3, 2026
    ! 2025-11-03 | on 3/12/2025
    = {"departure":"2024-11-05"} | You leave on 5 November 2024.
    ! {"departure":"2024-11-05"} | You leave on 6 November 2024.
    = Renewal date: 31/12/2025 | It renews on December 31, 2025.
    = {"created":"2023-07-04T18:22:10Z"} | It was created on July 4, 2023.
    ! {"created":"2023-07-04T18:22:10Z"} | It was created on July 4, 2022.
    = Opened 14 Feb. 2022 | The branch opened on Feb 14th, 2022.
    ! Opened 14 Feb. 2022 | The branch opened on Feb 24th, 2022.
    = Closed Sept 3 2021 | It was closed on 03.09.2021.
    = Results for Q3 2024 are out | These are the Q3 2024 results.
    ! Results for Q3 2024 are out | These are the Q2 2024 results.
    ! The treaty was signed in 1648. | It was signed in 1684.
    = {"published":"20240229"} | It was published on 29 February 2024.
    = {"due_on":"2026-02-01"} | Please pay by Feb. 1, 2026.
    ! {"due_on":"2026-02-01"} | Please pay by Jan. 2, 2027.
    = meeting moved to Thursday 19 June 2025 | It is now on 2025-06-19.
    = valid from 1/6/2024 until 30/6/2024 | It is valid from 1 June to 30 June 2024.
    ! valid from 1/6/2024 until 30/6/2024 | It is valid from 1 June to 31 July 2024.
    = {"birth":{"year":1987,"month":11,"day":2}} | Born November 2, 1987.
    = Posted: 2022-08-15 07:45:12 | It was posted on August 15, 2022 at 7:45.
    ! Posted: 2022-08-15 07:45:12 | It was posted on August 16, 2022.
    = founded in the year 1901 | It was founded in 1901.
    = fällig am 3. Oktober 2025 | It is due on October 3, 2025.
    = {"expires":"2025-12-31T23:59:59Z"} | It expires on December 31, 2025.
    ! {"expires":"2025-12-31T23:59:59Z"} | It expires on December 30, 2025.
    = last login: 03-Mar-2024 | Your last login was on March 3, 2024.
    = {"from":"2024-06-03","to":"2024-06-07"} | from June 3 to June 7, 2024
    ! {"from":"2024-06-03","to":"2024-06-07"} | from June 3 to June 9, 2024
    = Termin: 24.12.2024, 18 Uhr | on December 24, 2024 at 6 pm
    = since 2008 | since 2008
    ! since 2008 | since 2018
    = 2024-10 invoice | the invoice of October 2024
    = Wed Jan 15 2025 | 15/01/2025
    = {"date":{"year":2024,"month":3,"day":9}} | March 9, 2024
    = 1710000000 | 1710000000
    = Mon, 05 Aug 2024 10:00:00 GMT | Monday, August 5, 2024 at 10:00
    ! Mon, 05 Aug 2024 10:00:00 GMT | August 15, 2024
    = the 1990s | the 1990s
    ! the 1990s | the 1980s
    = 12 Oct | October 12th
    = Oct 12 - Oct 15 | 12–15 October
    = due in FY2025 | fiscal year 2025
    = 2024/03/09 | 9 Mar 2024
    = 9/3/24 | 9 March 2024
    = May 2024 | 05/2024
    = 1st quarter of 2023 | Q1 2023
    ! Q1 2023 | Q1 2024
    = H1 2024 | first half of 2024
    = 4th of July | July 4
    = 44 BC | 44 BC
    = 2024-05-01 to 2024-05-31 | May 1–31, 2024
    = 01.05.2024 | 1. Mai 2024
    = 5 de mayo de 2024 | 5 May 2024
    = le 1er janvier 2025 | January 1, 2025
    = {"next_billing_date":"2025-07-15"} | on the 15th of July
    ! {"next_billing_date":"2025-07-15"} | on the 16th of July
    = The warranty ended on 30.06.2023. | It ended on June 30, 2023.
    = 1999-12-31T23:59:59-05:00 | December 31, 1999
    ! arrives Tue 4 Mar | arrives March 14
    = summer 2022 to spring 2023 | from summer 2022 to spring 2023
    = {"updated":1741521600000} | It was updated on 9 March 2025.
    = {"event_ts":1741521600000000} | It happened on 2025-03-09 at 12:00 UTC.
    = {"expires":"1741521600"} | It expires on March 9, 2025.
    = created_at=1741521600 status=ok | It was created on 9 March 2025.
    = {"timestamp":1741521600.25} | The entry is from March 9, 2025.
    ! {"created_at":1741521600} | It was created on March 10, 2025.
    ! {"order_id":1741521600} | It was ordered on March 9, 2025.
    ! {"duration_ms":1741521600} | It was created on March 9, 2025.
    ! {"created_at":1741521600} | It was created on March 9, 2025 at 13:00.
    = {"week":"2025-W07"} | in KW 7/2025
    = Lieferung KW 23/2025 | Delivery in calendar week 23 of 2025
    = semaine 12 de 2025 | week 12, 2025
    = {"week":"2025W10"} | in week 10
    = {"week":10,"year":2025} | in week 10 of 2025
    ! {"release_week":"2025-W10"} | The release is planned for week 11 of 2025.
    ! {"release_week":"2025-W10"} | The release is planned for week 10 of 2026.
    ! {"release_week":"2025-W10"} | It takes 10 weeks.
    = {"fiscal_quarter":"2024-Q3"} | Q3 2024
    = 3. Quartal 2024 | the third quarter of 2024
    = 3Q24 results | Q3 2024
    = 2e trimestre 2023 | Q2 2023
    = {"quarter":"Q3","year":2024} | the third quarter of 2024
    ! {"quarter":"Q3","year":2024} | the third quarter of 2025
    ! Q3 2023 and Q4 2024 | Q3 2024
    ! {"half":"2024-H1"} | the second half of 2024
    = {"half":"2024-H1"} | the first half of 2024
    = -rw-r--r-- 1 root root 512 Mar  9  2024 notes | notes was changed on March 9, 2024.
    ! Apr  2 2024 | 12 April 2024
    ! Apr  2 2024 | 2 April 2023
    = Sep  3 12:01:33 host sshd[991] | on 3 September at 12:01:33
    ? Renewal date: 2025-0█-18 | Your plan renews on 18 May 2025.
    ? Renewal date: █8 May 2025 | It renews on May 8, 2025.
    ! Renewal date: 1█ May 2025 | Your plan renews on 18 June 2025.
    ! Renewal date: 1█ May 2025 | Your plan renews on 28 May 2025.
    = JD 2460000.5 | Julian date 2460000.5
    ! JD 2460000.5 | Julian date 2460001.5
    = {"born":"1987-12-03"} | She was born on 3 December 1987.
    = Fecha de entrega: 5 de mayo de 2026 | Delivery is on May 5, 2026.
    = {"period":{"from":"2025-04","to":"2025-06"}} | The period runs from April 2025 to June 2025.
    = Scadenza: 28/02/2027 | It expires on February 28th, 2027.
    = {"ts":"20250817T101500Z"} | It was recorded on 17 August 2025.
    = Meeting on Wed, 8 Oct 2025 | The meeting is on October 8.
    = {"year":2019,"month":7,"day":20} | It took place on 20 July 2019.
    = Datum: 2025年11月03日 | Dated 3 November 2025.
    = Published: Q2 FY2026 | It was published in the second quarter of fiscal year 2026.
    = Срок: 14 марта 2026 г. | The deadline is 14 March 2026.
    ! {"born":"1987-12-03"} | She was born on 13 December 1987.
    ! Meeting on Wed, 8 Oct 2025 | The meeting is on October 9.
    ! {"expires":"2028-01"} | It expires in January 2029.
    ! Vaccinated 02.05.2024 | The vaccination took place on 2 June 2024.
    ! Renewal due 30 September 2026 | The renewal is due on the 29th of September 2026.
    = {"departure":"2026-02-07T06:45:00Z"} | Departure is on 7 February 2026 at 06:45 UTC.
    = Expires 31/12/2027 | It expires on December 31st, 2027.
    = {"created":"20251104"} | It was created on 4 November 2025.
    = Nächster Termin: 5.3.2026 | Your next appointment is on March 5, 2026.
    = Renewal: Sept 1, 2026 | The renewal date is 2026-09-01.
    = {"checkin":"2026-05-14","checkout":"2026-05-18"} | Your stay is from May 14 to May 18, 2026.
    = Batch dated 08-Jul-25 | The batch is from July 8, 2025.
    = 納期：2026年4月9日 | Delivery is due 9 April 2026.
    = {"start":"2025-11-30"} | It starts on 30/11/2025.
    = {"quarter":"2025-Q3"} | These are the figures for Q3 2025.
    = La réunion aura lieu le 1er avril 2026. | The meeting takes place on April 1st, 2026.
    = {"due_at":1767225600} | It is due on January 1, 2026.
    = Published: Mon, 16 Mar 2026 | It was published on Monday, 16 March 2026.
    ! {"departure":"2026-02-07"} | Departure is on 7 March 2026.
    ! Expires 31/12/2027 | It expires on December 31st, 2026.
    ! {"checkin":"2026-05-14","checkout":"2026-05-18"} | Your stay is from May 14 to May 19, 2026.
    ! Renewal: Sept 1, 2026 | The renewal date is 2026-10-01.
    ! {"created":"20251104"} | It was created on 14 November 2025.
    ! {"quarter":"2025-Q3"} | These are the figures for Q4 2025.
    ! Nächster Termin: 5.3.2026 | Your next appointment is on March 15, 2026.
    = Eingang: 24.12.25 | Eingegangen am 24. Dezember 2025.
    = {"fecha":"2026-06-15"} | La cita es el 15 de junio de 2026.
    = Le 14/07/2026 à Paris | Rendez-vous le 14 juillet 2026.
    = 令和8年3月1日 | 2026年3月1日です。
    = {"date":"03/04/2026"} | It is on 3 April 2026.
    = {"date":"03/04/2026"} | It is on March 4, 2026.
    = Week 32 of 2026 | In KW 32/2026.
    = FY2024/25 report | The report for fiscal year 2024/25.
    = {"expiry":"09/28"} | The card expires in September 2028.
    = {"dob":"1990-02-03"} | Geboren am 03.02.1990.
    = Deadline: 2026-10-05T23:59 | Die Frist endet am 5. Oktober 2026 um 23:59 Uhr.
    = since the 1990s | It has existed since the 1990s.
    = May 2nd–4th, 2026 | From 2 to 4 May 2026.
    ! Eingang: 24.12.25 | Eingegangen am 24. November 2025.
    ! {"fecha":"2026-06-15"} | La cita es el 15 de julio de 2026.
    ! {"date":"03/04/2026"} | It is on May 3, 2026.
    ! Le 14/07/2026 à Paris | Rendez-vous le 4 juillet 2026.
    ! {"expiry":"09/28"} | The card expires in August 2028.
    ! Week 32 of 2026 | In KW 33/2026.
    ! since the 1990s | It has existed since the 1980s.
    ! May 2nd–4th, 2026 | From 2 to 5 May 2026.
    ! 令和8年3月1日 | 2025年3月1日です。
    = {"valid_from":"2025-12-01","valid_to":"2026-11-30"} | Valid from 1 Dec 2025 until 30 Nov 2026.
    = Abgabe bis Freitag, 13. März 2026 | Die Abgabe ist am 13.03.2026.
    = last_login: 2025-10-09 23:14:07 | The last login was on October 9, 2025 at 11:14 PM.
    = Vence el 28/02/26 | Vence el 28 de febrero de 2026.
    = Sommerferien: 27.07.–05.09.2026 | Die Ferien gehen vom 27. Juli bis zum 5. September 2026.
    = 公開日：2025/11/03 | 公開は2025年11月3日です。
    = {"month":"2026-04"} | The invoice covers April 2026.
    = Founded in 1897 | Gegründet 1897.
    = {"dob":{"year":1984,"month":7,"day":19}} | Born 19 July 1984.
    = Signed 15 January, effective 1 February 2026 | It was signed on January 15 and takes effect on February 1, 2026.
    = 2026-W07 | It is due in week 7 of 2026.
    ! {"valid_from":"2025-12-01","valid_to":"2026-11-30"} | Valid until 30 November 2025.
    ! Abgabe bis Freitag, 13. März 2026 | Die Abgabe ist am 31.03.2026.
    ! last_login: 2025-10-09 23:14:07 | The last login was on October 9, 2025 at 11:14 AM.
    ! Vence el 28/02/26 | Vence el 28 de febrero de 2028.
    ! 公開日：2025/11/03 | 公開は2025年11月13日です。
    ! {"month":"2026-04"} | The invoice covers May 2026.
    ! Founded in 1897 | Gegründet 1987.
    ! {"dob":{"year":1984,"month":7,"day":19}} | Born 17 July 1984.
    = Kick-off 02-Feb-2026 | Kick-off is on February 2nd, 2026.
    = {"ts":"2026-03-29T01:30:00+01:00"} | It happened on 29 March 2026 at 01:30.
    = born in the year 2001 | né en 2001
    = Geltungszeitraum 1.1.–31.12.2026 | Gültig vom 1. Januar bis 31. Dezember 2026.
    = {"checkin":"Fri 6 Mar","nights":2} | Check-in is on Friday, 6 March, for 2 nights.
    = Fällig: Ende Q2/2026 | It is due at the end of Q2 2026.
    = lunes 5 de enero de 2026 | Montag, 5. Januar 2026
    = The 21st century | in the 21st century
    = 11/2027 | Gültig bis November 2027.
    = 5 мая 2026 г. | 5 May 2026
    = Ostern: 5. April 2026; Pfingsten: 24. Mai 2026 | Easter is on April 5 and Pentecost on May 24, 2026.
    ! Kick-off 02-Feb-2026 | Kick-off is on February 22nd, 2026.
    ! {"ts":"2026-03-29T01:30:00+01:00"} | It happened on 29 March 2026 at 03:10.
    ! Geltungszeitraum 1.1.–31.12.2026 | Gültig vom 1. Januar bis 30. Dezember 2026.
    ! {"checkin":"Fri 6 Mar","nights":2} | Check-in is on Friday, 13 March.
    ! lunes 5 de enero de 2026 | Montag, 5. Juni 2026
    ! The 21st century | in the 20th century
    ! 11/2027 | Gültig bis Oktober 2027.
    ! 5 мая 2026 г. | 5 March 2026
    = Arrival Thu 2 Apr 26, departure Tue 7 Apr 26 | You arrive on 2 April 2026 and leave on 7 April 2026.
    = {"start_date":"01.09.2025","end_date":"31.08.2026"} | Vom 1. September 2025 bis zum 31. August 2026.
    = 3rd quarter 2025 results on Oct 28 | Q3 2025 results come on October 28.
    = updated 2025-12-24T18:00:00.000Z | It was updated on Christmas Eve, 24 December 2025, at 6 p.m. UTC.
    = Data: 10/11/2025 (dd/mm/aaaa) | Foi no dia 10 de novembro de 2025.
    = class of '99 | the class of 1999
    = from Mar 2024 to Feb 2025 | March 2024 – February 2025
    = 2026年度 | fiscal year 2026
    = in 2 days, on the 14th | on the 14th, in two days
    ! Arrival Thu 2 Apr 26, departure Tue 7 Apr 26 | You leave on 8 April 2026.
    ! {"start_date":"01.09.2025","end_date":"31.08.2026"} | Vom 1. September 2025 bis zum 31. August 2025.
    ! 3rd quarter 2025 results on Oct 28 | Q3 2025 results come on November 28.
    ! updated 2025-12-24T18:00:00.000Z | It was updated on 24 December 2025 at 8 p.m. UTC.
    ! from Mar 2024 to Feb 2025 | March 2024 – February 2026
    ! 2026年度 | fiscal year 2027
    ! on the 14th | on the 15th
    ! Lieferung KW 14 | Lieferung KW 15
    = {"appointment":"2026-01-09T09:15"} | Friday, January 9th, 2026 at 9:15 in the morning.
    = Frist: 14 Tage ab 03.02.2026, also 17.02.2026 | The deadline is 17 February 2026, 14 days after 3 February.
    = {"issued":"Jan 2025","expires":"Jan 2030"} | Issued in January 2025; expires in January 2030.
    = du 12 au 19 août 2026 | from 12 to 19 August 2026
    = 12 de octubre | October 12
    = 2 x im Jahr: 1.4. und 1.10. | on April 1 and October 1
    = 1st Monday in September 2026 | first Monday of September 2026
    = {"year_built":1968} | It was built in 1968.
    = Tuesday the 3rd | Tuesday, 3rd
    ! {"appointment":"2026-01-09T09:15"} | Friday, January 9th, 2026 at 9:15 in the evening.
    ! Frist: 14 Tage ab 03.02.2026, also 17.02.2026 | The deadline is 18 February 2026.
    ! {"issued":"Jan 2025","expires":"Jan 2030"} | It expires in January 2035.
    ! du 12 au 19 août 2026 | from 12 to 29 August 2026
    ! 12 de octubre | October 21
    ! {"year_built":1968} | It was built in 1986.
    ! Tuesday the 3rd | Tuesday, 13th
    ! 2024-02-29 | February 28, 2024
    = {"order_date":"2026-01-31","delivery_date":"2026-02-03"} | Ordered on January 31, 2026, delivered on February 3.
    = Meeting: 3 June 2026 at 10:00 | The meeting is on June 3rd, 2026 at 10 am.
    = Contract ends 30.09.2027 | The contract ends on 30 September 2027.
    = {"events":[{"d":"2026-07-04"},{"d":"2026-07-14"}]} | July 4 and July 14, 2026
    = expiry 12/2028 | It expires in December 2028.
    = El plazo termina el 20 de enero. | The deadline is January 20.
    ! {"order_date":"2026-01-31","delivery_date":"2026-02-03"} | Delivered on February 4, 2026.
    ! Meeting: 3 June 2026 at 10:00 | The meeting is on June 30th, 2026.
    ! Contract ends 30.09.2027 | The contract ends on 30 September 2026.
    ! {"events":[{"d":"2026-07-04"},{"d":"2026-07-14"}]} | July 4 and July 24, 2026
    ! expiry 12/2028 | It expires in December 2026.
    ! El plazo termina el 20 de enero. | The deadline is February 20.
    = 7/4/2026 | April 7, 2026
    = 7/4/2026 | July 4, 2026
    = 1st of May 2026 | 2026-05-01
    = the twenty-first of June | June 21
    = Sat., 28 Feb. 2026 | 28/02/2026
    = ２０２６年１月５日 | January 5, 2026
    = 2026/3/9 | 9 March 2026
    ! 7/4/2026 | April 4, 2026
    ! 1st of May 2026 | 2026-05-11
    ! the twenty-first of June | June 22
    ! Sat., 28 Feb. 2026 | 28/02/2025
    ! ２０２６年１月５日 | January 15, 2026
    ! 2026/3/9 | 3 August 2026
  `,
  versions: `
    = {"go":"1.23.4","golangci":"1.62.2"} | CI uses Go 1.23.4 and golangci-lint 1.62.2.
    ! {"go":"1.23.4","golangci":"1.62.2"} | CI uses Go 1.22.4 and golangci-lint 1.62.2.
    = WordPress 6.7.1, plugin X 5.2 (update to 5.2.4 available) | WordPress is at 6.7.1; plugin X should be updated from 5.2 to 5.2.4.
    ! WordPress 6.7.1, plugin X 5.2 (update to 5.2.4 available) | WordPress is at 6.7.1; plugin X should be updated from 5.2 to 5.3.4.
    = macOS Sequoia 15.2 or later | It needs macOS 15.2 or later.
    ! macOS Sequoia 15.2 or later | It needs macOS 15.4 or later.
    = glibc >= 2.31, gcc 13.2 | It needs glibc 2.31 or newer and GCC 13.2.
    ! glibc >= 2.31, gcc 13.2 | It needs glibc 2.35 or newer and GCC 13.2.
    = {"lang":"C++20","std":"ISO/IEC 14882:2020"} | The code is C++20 (ISO/IEC 14882:2020).
    ! {"lang":"C++20","std":"ISO/IEC 14882:2020"} | The code is C++17 (ISO/IEC 14882:2020).
    = chart app-0.14.3, appVersion 2.8.0 | Chart app 0.14.3 deploys version 2.8.0.
    ! chart app-0.14.3, appVersion 2.8.0 | Chart app 0.14.3 deploys version 2.9.0.
    = FROM node:22.12-slim | The image is based on Node 22.12 (slim).
    ! FROM node:22.12-slim | The image is based on Node 20.12 (slim).
    = torch==2.5.1+cu121 numpy==1.26.4 | It uses torch 2.5.1 and numpy 1.26.4.
    ! torch==2.5.1+cu121 numpy==1.26.4 | It uses torch 2.5.1 and numpy 1.24.6.
    = {"api_version":"2024-10-21","model":"gpt-4o-mini"} | It uses gpt-4o-mini with API version 2024-10-21.
    ! {"api_version":"2024-10-21","model":"gpt-4o-mini"} | It uses gpt-4o-mini with API version 2024-12-01.
    = Firefox 133.0.3, Safari 18.2 affected | Firefox 133.0.3 and Safari 18.2 are affected.
    ! Firefox 133.0.3, Safari 18.2 affected | Firefox 133.0.3 and Safari 17.2 are affected.
    = Bluetooth 5.3, USB-C 3.2 Gen 2 | It has Bluetooth 5.3 and USB-C 3.2 Gen 2.
    ! Bluetooth 5.3, USB-C 3.2 Gen 2 | It has Bluetooth 5.2 and USB-C 3.2 Gen 2.
    = rustc 1.83.0 (90b35a623 2024-11-26) | The compiler is rustc 1.83.0 of 26 November 2024.
    ! rustc 1.83.0 (90b35a623 2024-11-26) | The compiler is rustc 1.84.0 of 26 November 2024.
    = upgrade available: 1.14.2 → 1.15.0 (breaking) | You are on 1.14.2; version 1.15.0 is available but has breaking changes.
    ! upgrade available: 1.14.2 → 1.15.0 (breaking) | You are on 1.14.2; version 1.16.0 is available but has breaking changes.
    = {"java":{"version":"21.0.4","vendor":"Temurin"}} | It runs on Temurin Java 21.0.4.
    ! {"java":{"version":"21.0.4","vendor":"Temurin"}} | It runs on Temurin Java 17.0.4.
    = supports API levels 26 through 34 | API levels 26 to 34 are supported.
    ! supports API levels 26 through 34 | API levels 24 to 34 are supported.
    = nginx/1.24.0 (Ubuntu) | The server runs nginx 1.24.0 on Ubuntu.
    ! nginx/1.24.0 (Ubuntu) | The server runs nginx 1.42.0 on Ubuntu.
    = CUDA Version: 12.4, Driver 550.54.14 | The driver 550.54.14 supports CUDA 12.4.
    ! CUDA Version: 12.4, Driver 550.54.14 | The driver 550.54.41 supports CUDA 12.4.
    = HTTP/2 enabled, HTTP/3 disabled | HTTP/2 is on, HTTP/3 is off.
    = {"tag":"v0.9.0-beta.3","published":"2025-11-11"} | The latest tag is v0.9.0-beta.3, published on 11 November 2025.
    ! {"tag":"v0.9.0-beta.3","published":"2025-11-11"} | The latest tag is v0.9.0-beta.4, published on 11 November 2025.
    = Kubernetes v1.29.4 -> v1.30.1 | We upgraded Kubernetes from 1.29.4 to 1.30.1.
    ! Kubernetes v1.29.4 -> v1.30.1 | We upgraded Kubernetes from 1.29.4 to 1.31.0.
    = {"dependencies":{"react":"^18.3.1","vite":"~5.4.0"}} | React is pinned to ^18.3.1 and Vite to ~5.4.0.
    ! {"dependencies":{"react":"^18.3.1","vite":"~5.4.0"}} | React is pinned to ^18.2.0 and Vite to ~5.4.0.
    = Ubuntu 22.04.5 LTS (kernel 5.15.0-125-generic) | It runs Ubuntu 22.04.5 LTS with kernel 5.15.0-125-generic.
    ! Ubuntu 22.04.5 LTS (kernel 5.15.0-125-generic) | It runs Ubuntu 24.04 LTS with kernel 5.15.0-125-generic.
    = {"firmware":"FW 3.07b","min":"3.05"} | The firmware is 3.07b; at least 3.05 is needed.
    ! {"firmware":"FW 3.07b","min":"3.05"} | The firmware is 3.09b; at least 3.05 is needed.
    = TLS 1.2 and 1.3 are enabled, 1.0 and 1.1 are not | Only TLS 1.2 and TLS 1.3 are enabled.
    = iOS 17.5.1 (21F90) | The phone runs iOS 17.5.1, build 21F90.
    ! iOS 17.5.1 (21F90) | The phone runs iOS 17.5.1, build 21F91.
    = {"schema":"v2","deprecated":["v1"]} | Schema v2 is current, v1 is deprecated.
    ! {"schema":"v2","deprecated":["v1"]} | Schema v3 is current, v1 is deprecated.
    = Release 2025.12.1 fixes the crash | The crash is fixed in release 2025.12.1.
    ! Release 2025.12.1 fixes the crash | The crash is fixed in release 2025.12.2.
    = {"name":"pandas","version":"2.2.3"} | You have pandas 2.2.3 installed.
    ! {"name":"pandas","version":"2.2.3"} | You have pandas 2.3.2 installed.
    = Changelog: fixed in v4.17.21 (see #5085) | The bug was fixed in 4.17.21, see issue #5085.
    ! Changelog: fixed in v4.17.21 (see #5085) | The bug was fixed in 4.17.21, see issue #5058.
    = requires-python = ">=3.9,<3.13" | It needs Python 3.9 or newer, below 3.13.
    ! requires-python = ">=3.9,<3.13" | It needs Python 3.8 or newer, below 3.13.
    = {"node":"v20.11.1","npm":"10.2.4"} | The build used Node 20.11.1 with npm 10.2.4.
    ! {"node":"v20.11.1","npm":"10.2.4"} | The build used Node 20.11.1 with npm 10.4.2.
    = image: postgres:16.3-alpine | The database runs PostgreSQL 16.3 (Alpine image).
    ! image: postgres:16.3-alpine | The database runs PostgreSQL 15.3 (Alpine image).
    = openssl 3.0.13 (CVE-2024-5535 patched) | OpenSSL 3.0.13 already has the patch for CVE-2024-5535.
    ! openssl 3.0.13 (CVE-2024-5535 patched) | OpenSSL 3.0.13 already has the patch for CVE-2024-5353.
    = {"sdk":"1.0.0-rc.2"} | The current SDK is 1.0.0-rc.2.
    ! {"sdk":"1.0.0-rc.2"} | The current SDK is 1.0.0-rc.3.
    = {"latest": "v1.2.3"} | The latest version is 1.2.3.
    = 1.2.3 | It is v1.2.3.
    = Python 3.11.4 | It runs on Python 3.11.
    = python: 3.12 | It needs Python 3.12.
    = node 20.11.0 | Use Node 20.
    = version 2.0.0-beta.1 | It is version 2.0.0-beta.1.
    = {"version": "3.10"} | Version 3.10 is out.
    = release 7 | It is release 7.
    = iOS 17.2 | It needs iOS 17.2.
    = gpt-4o-mini | The model is GPT-4o-mini.
    = Ubuntu 22.04 LTS | It runs on Ubuntu 22.04.
    = react@18.2.0 | It uses React 18.2.0.
    = TLS 1.3 | It speaks TLS 1.3.
    = v2 | It is version 2.
    ! {"latest": "v1.2.3"} | The latest version is 1.2.4.
    ! Python 3.1 | It runs on Python 3.10.
    ! {"version": "3.10"} | Version 3.1 is out.
    ! version 2.0.0-beta.1 | It is version 2.0.0-beta.2.
    ! node 20.11.0 | Use Node 22.
    ! 1.2.3 | It is v1.3.2.
    ! iOS 17.2 | It needs iOS 17.3.
    ! gpt-4o-mini | The model is gpt-5-mini.
    ! Ubuntu 22.04 | It runs on Ubuntu 24.04.
    ! TLS 1.3 | It speaks TLS 1.2.
    ! 1.2.3.4 | It is 1.2.3.5.
    ! release 7 | It is release 8.
    = v2.14.0-rc.1 | Release 2.14.0-rc.1 is out.
    = 3.12 | Python 3.12
    ! v2.14.0 | Release 2.14.1 is out.
    ! 3.12.1 | Use 3.1.12.
    ! node 20.11.0 | node 20.1.10
    = {"version":"18.2.0"} | You have React v18.2.0.
    ! {"version":"18.2.0"} | You have React 18.20.0.
    = python_requires: >=3.9 | It needs Python 3.9 or later.
    ! python_requires: >=3.9 | It needs Python 3.10 or later.
    = {"tag":"v2.4.0-rc.1"} | The candidate is 2.4.0-rc.1.
    ! {"tag":"v2.4.0-rc.1"} | The candidate is 2.4.0-rc.2.
    = Node.js v20.11.1 LTS | Use Node 20.11.1 (LTS).
    ! Node.js v20.11.1 LTS | Use Node 20.1.11 (LTS).
    = Ubuntu 22.04 LTS (jammy) | The image is Ubuntu 22.04.
    ! Ubuntu 22.04 LTS (jammy) | The image is Ubuntu 24.04.
    = postgres:16.3-alpine3.20 | It runs the image postgres:16.3-alpine3.20.
    ! kernel 6.8.0-45-generic | The kernel is 6.8.0-54-generic.
    = {"installed": "4.17.21", "latest": "4.18.0"} | Update from 4.17.21 to 4.18.0.
    ! {"installed": "4.17.21", "latest": "4.18.0"} | Update from 4.17.21 to 4.18.1.
    = Successfully installed numpy-1.26.4 | numpy 1.26.4 is installed.
    ! Successfully installed numpy-1.26.4 | numpy 1.24.6 is installed.
    = openjdk version "21.0.2" 2024-01-16 | You run OpenJDK 21.0.2.
    = engine: "node": "^20.9.0" | It needs Node ^20.9.0.
    = git version 2.43.0.windows.1 | Your Git is 2.43.0.
    = {"api_version":"2023-10-16"} | It uses the API version 2023-10-16.
    ! {"api_version":"2023-10-16"} | It uses the API version 2024-10-16.
    = Windows 11 23H2 (build 22631.3007) | You run Windows 11 23H2, build 22631.3007.
    = chrome/120.0.6099.109 | Chrome 120.0.6099.109
    ! chrome/120.0.6099.109 | Chrome 121.0.6099.109
    = {"tag_name":"release-3.4.2"} | The release is 3.4.2.
    = requires php ^8.1 | It requires PHP 8.1.
    ! requires php ^8.1 | It requires PHP 8.2.
    = com.acme:core:2.7.0-SNAPSHOT | core 2.7.0-SNAPSHOT
    = Firmware V5.08 | firmware version 5.08
    ! Firmware V5.08 | firmware version 5.80
    = macOS Sonoma 14.2.1 | macOS 14.2.1
    = terraform v1.6.6 on linux_amd64 | Terraform 1.6.6
    = v1.2 | version 1.2.0
    = >=1.2,<2.0 | between 1.2 and 2.0
    = ^18.2.0 | 18.2.0
    = Java 17 | JDK 17
    = GPT-4 | gpt4
    = PostgreSQL 15.4 | Postgres 15
    = HTTP/2 | HTTP 2
    = 1.0.0-alpha.1+001 | 1.0.0-alpha.1
    = r2023b | R2023b
    = Android 14 (API 34) | Android 14, API level 34
    = {"major":3,"minor":12} | Python 3.12
    = RFC 7231 | RFC7231
    = ISO 8601:2004 | ISO 8601
    = k8s 1.29.3 | Kubernetes 1.29.3
    ! k8s 1.29.3 | Kubernetes 1.29.30
    = {"kernel":"5.15.0-91-generic"} | kernel 5.15.0-91-generic
    = jdk-17.0.9+9 | JDK 17.0.9
    ! jdk-17.0.9+9 | JDK 17.0.6
    = nginx/1.25.3 | nginx 1.25.3
    ! nginx/1.25.3 | nginx 1.23.5
    = {"major":4,"minor":1,"patch":9} | It is at 4.1.9.
    = {"version":"5.2.11"} | It is at v5.2.11.
    = fieldnotes 5.2.11 | Version 5.2.11 is out.
    ! {"major":5,"minor":2,"patch":11} | It is at version 5.2.12.
    ! {"version":"5.2.11"} | It is version 5.2.1.
    ! due 5.2.2011 | It runs on Python 5.2.
    = due 5.2.11 | It is due on 5 February 2011.
    ! {"version":"5.2.11"} | It is due on 5 February 2011.
    ? release 2.1█.0 | It is at 2.14.0.
    ? {"version":"2.14.3"} | It is at v2.1▒.3.
    = {"python_requires":">=3.10,<3.14"} | It needs Python 3.10 or later, below 3.14.
    = go version go1.22.4 linux/amd64 | Go 1.22.4 is installed.
    = jdk-21.0.3+9 | You have JDK 21.0.3.
    = {"api":"2024-06-01-preview"} | The API version is 2024-06-01-preview.
    = Django==5.0.6 | Django 5.0.6 is pinned.
    = nginx/1.25.5 | The server runs nginx 1.25.5.
    = {"chrome":"126.0.6478.61"} | Chrome 126.0.6478.61 is used.
    = iOS 17.5.1 (21F90) | The phone has iOS 17.5.1, build 21F90.
    = rustc 1.79.0 (129f3b996 2024-06-10) | rustc 1.79.0 of 10 June 2024
    = Firmware FW-2.4b | The firmware is FW-2.4b.
    ! go version go1.22.4 linux/amd64 | Go 1.24.2 is installed.
    ! Django==5.0.6 | Django 5.6.0 is pinned.
    ! {"chrome":"126.0.6478.61"} | Chrome 126.0.6478.16 is used.
    ! iOS 17.5.1 (21F90) | The phone has iOS 17.5.1, build 21F79.
    ! Release 2.0.0-beta.3 | Release 2.0.0-beta.4 is out.
    = {"name":"libfoo","version":"2.14.0"} | libfoo is at version 2.14.0.
    = node v20.11.1 installed | You are running Node 20.11.1.
    = Upgrade path: 3.9 -> 3.10 -> 3.11 | Go from 3.9 to 3.10, then to 3.11.
    = {"latest":"1.0.0-rc.2"} | The latest release is 1.0.0-rc.2.
    = CHANGELOG ## [4.2.7] - 2025-08-19 | 4.2.7 came out on 19 August 2025.
    = kernel 6.8.0-49-generic | The kernel is 6.8.0-49-generic.
    = {"min_python":">=3.10,<4"} | It requires Python 3.10 or newer, below 4.
    = TLS 1.3 enabled, TLS 1.0 disabled | TLS 1.3 is on; TLS 1.0 is off.
    = {"tag":"v5.0.0-beta.11+build.77"} | The tag is v5.0.0-beta.11+build.77.
    = PostgreSQL 16.4 (Debian 16.4-1.pgdg120+1) | The server runs PostgreSQL 16.4.
    = iOS 18.2.1 available | iOS 18.2.1 is available.
    = {"schema_version": 12} | The schema is at version 12.
    ! {"name":"libfoo","version":"2.14.0"} | libfoo is at version 2.14.1.
    ! node v20.11.1 installed | You are running Node 20.1.11.
    ! {"latest":"1.0.0-rc.2"} | The latest release is 1.0.0-rc.3.
    ! {"latest":"1.0.0-rc.2"} | The latest release is 1.0.0-beta.2.
    ! TLS 1.3 enabled | TLS 1.2 is enabled.
    ! Upgrade path: 3.9 -> 3.10 -> 3.11 | Go straight to 3.12.
    ! {"tag":"v5.0.0-beta.11+build.77"} | The tag is v5.0.0-beta.11+build.78.
    ! Fixed in 7.1 | Fixed in 7.10.
    = {"current":"4.17.20","fixed_in":"4.17.21"} | Aktualisieren Sie von 4.17.20 auf 4.17.21.
    = Android 15 (API level 35) | Android 15 entspricht API-Level 35.
    = Ubuntu 24.04.1 LTS | Le serveur tourne sous Ubuntu 24.04.1 LTS.
    = "python": "3.12.4" | Se usa Python 3.12.4.
    = OpenSSL 3.0.13 30 Jan 2024 | OpenSSL 3.0.13 vom 30. Januar 2024.
    = react@^18.3.1 | The range is ^18.3.1, so React 18.3.1 or later.
    = Java 21 (LTS), Java 22 | Java 21 ist LTS.
    = gpt-4o-2024-08-06 | The model is gpt-4o-2024-08-06.
    = HTTP/2 and HTTP/3 supported | HTTP/2 und HTTP/3 gehen.
    = r1234 (trunk) | Revision r1234.
    ! {"current":"4.17.20","fixed_in":"4.17.21"} | Aktualisieren Sie auf 4.17.22.
    ! Ubuntu 24.04.1 LTS | Le serveur tourne sous Ubuntu 22.04.1 LTS.
    ! OpenSSL 3.0.13 30 Jan 2024 | OpenSSL 3.0.14 vom 30. Januar 2024.
    ! gpt-4o-2024-08-06 | The model is gpt-4o-2024-05-13.
    ! HTTP/2 supported | HTTP/3 geht.
    ! react@^18.3.1 | React 18.13.1 is needed.
    ! Java 21 (LTS), Java 22 | Java 23 ist die neueste.
    ! python 3.1 | python 3.10
    = Bump axios from 1.6.7 to 1.7.2 | Dependabot moves axios from 1.6.7 to 1.7.2.
    = {"engines":{"node":">=18.17"}} | You need Node 18.17 or later.
    = FROM python:3.11-slim | Das Image nutzt Python 3.11.
    = Terraform v1.9.5 on linux_amd64 | You run Terraform 1.9.5.
    = "version": "2024.10.1" | La versión es 2024.10.1.
    = Firmware 2.0.14 (build 8871) | Firmware 2.0.14, build 8871.
    = {"api":"v3","sdk":"0.42.0"} | Use API v3 with SDK 0.42.0.
    = macOS Sequoia 15.1 | It needs macOS 15.1.
    = Helm chart 12.0.3 → app 1.27.4 | Chart 12.0.3 installs app version 1.27.4.
    ! Bump axios from 1.6.7 to 1.7.2 | Dependabot moves axios from 1.6.7 to 1.7.3.
    ! {"engines":{"node":">=18.17"}} | You need Node 18.7 or later.
    ! FROM python:3.11-slim | Das Image nutzt Python 3.12.
    ! "version": "2024.10.1" | La versión es 2024.1.10.
    ! Firmware 2.0.14 (build 8871) | Firmware 2.0.14, build 8817.
    ! {"api":"v3","sdk":"0.42.0"} | Use API v2 with SDK 0.42.0.
    ! Helm chart 12.0.3 → app 1.27.4 | Chart 12.0.3 installs app version 1.27.5.
    = pip install torch==2.3.1+cu121 | Install torch 2.3.1+cu121.
    = go 1.22 | The module needs Go 1.22.
    = {"chrome":"131.0.6778.86"} | Chrome 131.0.6778.86 is installed.
    = compatible with v1.x and v2.x | It works with v1.x and v2.x.
    = PHP 8.2 → 8.3 | Migrate from PHP 8.2 to 8.3.
    = EOL: Debian 11 (bullseye) | Debian 11 is end of life.
    = spec rev. 3.0.1 | Revision 3.0.1 of the spec.
    = {"minimum":"10.15"} | Mindestens Version 10.15.
    ! pip install torch==2.3.1+cu121 | Install torch 2.3.1+cu118.
    ! go 1.22 | The module needs Go 1.2.
    ! {"chrome":"131.0.6778.86"} | Chrome 131.0.6778.68 is installed.
    ! PHP 8.2 → 8.3 | Migrate from PHP 8.2 to 8.4.
    ! EOL: Debian 11 (bullseye) | Debian 12 is end of life.
    ! spec rev. 3.0.1 | Revision 3.1.0 of the spec.
    ! {"minimum":"10.15"} | Mindestens Version 10.5.
    ! Redis 7.4 | Redis 7.40
    = "dependencies": {"lodash": "~4.17.21", "zod": "^3.23.8"} | lodash ~4.17.21 and zod ^3.23.8
    = MySQL 8.0.39-0ubuntu0.22.04.1 | MySQL 8.0.39
    = cuda_12.4.r12.4 | CUDA 12.4
    = Angular 17 → 18 upgrade guide | Upgrade Angular 17 to 18.
    = .NET 8.0.10 runtime | Die Laufzeit ist .NET 8.0.10.
    = v0.9.0-alpha.4 | version 0.9.0-alpha.4
    = OpenAPI 3.1.0 | The spec is OpenAPI 3.1.0.
    ! "dependencies": {"lodash": "~4.17.21"} | lodash ~4.17.12
    ! MySQL 8.0.39-0ubuntu0.22.04.1 | MySQL 8.0.93
    ! cuda_12.4.r12.4 | CUDA 12.6
    ! .NET 8.0.10 runtime | Die Laufzeit ist .NET 8.0.1.
    ! v0.9.0-alpha.4 | version 0.9.0
    ! OpenAPI 3.1.0 | The spec is OpenAPI 3.0.1.
    ! Kotlin 2.0 | Kotlin 2.0.20
    = You have 2 outdated packages: eslint 8.57.0 -> 9.12.0, jest 29.7.0 | eslint 8.57.0 (latest 9.12.0) and jest 29.7.0
    = {"os":"Windows 11","build":"22631.4317"} | Windows 11, Build 22631.4317
    = Python 3.13.0rc3 | Python 3.13.0rc3
    = USB 3.2 Gen 2 | USB 3.2 Gen 2
    = Spring Boot 3.3.x | Spring Boot 3.3.x
    = minSdk 24, targetSdk 35 | minSdk 24 und targetSdk 35
    ! eslint 8.57.0 -> 9.12.0 | eslint 8.57.1 -> 9.12.0
    ! {"os":"Windows 11","build":"22631.4317"} | Windows 10, Build 22631.4317
    ! Python 3.13.0rc3 | Python 3.13.0rc2
    ! USB 3.2 Gen 2 | USB 3.1 Gen 2
    ! Spring Boot 3.3.x | Spring Boot 3.4.x
    ! minSdk 24, targetSdk 35 | minSdk 21
    ! nginx/1.27.2 | nginx 1.27.20
    ! jdk-21.0.5+11 | JDK 21.0.4
    = pandas 2.2.3 (released 2024-09-20) | pandas 2.2.3 was released on September 20, 2024.
    = {"current_version":"1.4.2","latest_version":"1.5.0"} | You have 1.4.2; the latest is 1.5.0.
    = requires Ruby >= 3.1 | It requires Ruby 3.1 or higher.
    = k8s v1.31.2 | Kubernetes 1.31.2
    ! pandas 2.2.3 | pandas 2.3.2
    ! {"current_version":"1.4.2","latest_version":"1.5.0"} | The latest is 1.5.1.
    ! requires Ruby >= 3.1 | It requires Ruby 3.10 or higher.
    ! k8s v1.31.2 | Kubernetes 1.32.2
    = Version 3.0 | v3.0
    = 2.0.0-beta.1 | 2.0.0-beta.1
    = iOS 17.5 or later | iOS 17.5+
    = release 24.04 LTS | 24.04 LTS
    ! Version 3.0 | v3.1
    ! 2.0.0-beta.1 | 2.0.0-beta.2
    ! iOS 17.5 or later | iOS 17.15+
    ! release 24.04 LTS | 24.10 LTS
  `,
  codes: `
    = {"order":"PO-77120","lines":[{"no":10,"part":"AX-4410-B"},{"no":20,"part":"AX-4412-A"}]} | PO-77120 has part AX-4410-B on line 10 and AX-4412-A on line 20.
    ! {"order":"PO-77120","lines":[{"no":10,"part":"AX-4410-B"},{"no":20,"part":"AX-4412-A"}]} | PO-77120 has part AX-4410-B on line 10 and AX-4421-A on line 20.
    = WLAN: Gast-2G, Passwort in Zimmermappe, Zimmer 318 | Your room is 318; the network is Gast-2G.
    ! WLAN: Gast-2G, Passwort in Zimmermappe, Zimmer 318 | Your room is 381; the network is Gast-2G.
    = {"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"} | See trace 4bf92f3577b34da6a3ce929d0e0e4736.
    ! {"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"} | See trace 4bf92f3577b34da6a3ce929d0e0e4737.
    = Numéro de sécurité sociale 2 85 05 78 006 084 36 | Your number is 2 85 05 78 006 084 36.
    ! Numéro de sécurité sociale 2 85 05 78 006 084 36 | Your number is 2 85 05 78 006 048 36.
    = {"policy":"H-5520/03","excess":"150 EUR"} | Policy H-5520/03 has an excess of €150.
    ! {"policy":"H-5520/03","excess":"150 EUR"} | Policy H-5520/03 has an excess of €250.
    = test_case TC_017 failed, TC_018 skipped | TC_017 failed and TC_018 was skipped.
    ! test_case TC_017 failed, TC_018 skipped | TC_016 failed and TC_018 was skipped.
    = patent EP 3 456 789 B1 | The patent is EP3456789B1.
    ! patent EP 3 456 789 B1 | The patent is EP3456798B1.
    = {"locker":"L07","pin_digits":4} | Locker L07 opens with your 4-digit PIN.
    ! {"locker":"L07","pin_digits":4} | Locker L07 opens with the PIN 5831.
    = {"shipment":{"id":"SHP_88f21","boxes":3}} | Shipment SHP_88f21 has 3 boxes.
    ! {"shipment":{"id":"SHP_88f21","boxes":3}} | Shipment SHP_88f12 has 3 boxes.
    = flight AF1380 CDG→LHR gate K35 | Flight AF1380 to London leaves from gate K35.
    ! flight AF1380 CDG→LHR gate K35 | Flight AF1380 to London leaves from gate K53.
    = Aktenzeichen 7 O 214/25 | Das Aktenzeichen lautet 7 O 214/25.
    ! Aktenzeichen 7 O 214/25 | Das Aktenzeichen lautet 7 O 241/25.
    = {"serial":"C02XG0FDJGH5"} | The serial number is C02XG0FDJGH5.
    ! {"serial":"C02XG0FDJGH5"} | The serial number is C02XG0FDJHG5.
    = NIF B-12345674 | El NIF es B12345674.
    ! NIF B-12345674 | El NIF es B12345647.
    = {"table":"T12","course":2} | Table T12 is at course 2.
    ! {"table":"T12","course":2} | Table T21 is at course 2.
    = exit code 137 (OOMKilled), restart count 4 | The pod was killed for memory (exit code 137) and restarted 4 times.
    ! exit code 137 (OOMKilled), restart count 4 | The pod was killed for memory (exit code 137) and restarted 6 times.
    = {"claim":"CLM-2025-000781","adjuster":"R. Diaz"} | Your claim CLM-2025-000781 is handled by R. Diaz.
    ! {"claim":"CLM-2025-000781","adjuster":"R. Diaz"} | Your claim CLM-2025-000718 is handled by R. Diaz.
    = ICD-10 code M54.5 (low back pain) | The diagnosis is coded as M54.5 in ICD-10.
    ! ICD-10 code M54.5 (low back pain) | The diagnosis is coded as M45.5 in ICD-10.
    = {"train":"ICE 1024","coach":23,"seat":"61"} | You have seat 61 in coach 23 of ICE 1024.
    ! {"train":"ICE 1024","coach":23,"seat":"61"} | You have seat 16 in coach 23 of ICE 1024.
    = order ABX9-7741-K | Bestellung ABX9-7741-K ist unterwegs.
    ! order ABX9-7741-K | Bestellung ABX9-7741-L ist unterwegs.
    = HTTP 503 from upstream 'pay-2' after 3 retries | The upstream pay-2 answered 503 even after three retries.
    ! HTTP 503 from upstream 'pay-2' after 3 retries | The upstream pay-3 answered 503 even after three retries.
    = {"account":"00123456789","sort_code":"20-00-00"} | Account 00123456789, sort code 20-00-00.
    ! {"account":"00123456789","sort_code":"20-00-00"} | Account 00123456798, sort code 20-00-00.
    = {"coupon":"SPRING25","off":"25%"} | Use SPRING25 for 25% off.
    ! {"coupon":"SPRING25","off":"25%"} | Use SPRING20 for 20% off.
    = §12 Abs. 3 der Satzung | See section 12, paragraph 3 of the statutes.
    ! §12 Abs. 3 der Satzung | See section 13, paragraph 3 of the statutes.
    = {"booking":{"ref":"QX-77-1029","gate":"B42","seat":"17C"}} | Booking QX-77-1029: gate B42, seat 17C.
    ! {"booking":{"ref":"QX-77-1029","gate":"B42","seat":"17C"}} | Booking QX-77-1029: gate B24, seat 17C.
    = {"card":"**** **** **** 4242","exp":"09/28"} | I charged the card ending in 4242 (valid until 09/28).
    ! {"card":"**** **** **** 4242","exp":"09/28"} | I charged the card ending in 4224 (valid until 09/28).
    = error E1042: disk quota exceeded | The job failed with error E1042 (disk quota exceeded).
    ! error E1042: disk quota exceeded | The job failed with error E1024 (disk quota exceeded).
    = {"id":"3f2b8a6e-0c1d-4e57-9a9b-7c2f10de4411"} | The job id is 3f2b8a6e-0c1d-4e57-9a9b-7c2f10de4411.
    ! {"id":"3f2b8a6e-0c1d-4e57-9a9b-7c2f10de4411"} | The job id is 3f2b8a6e-0c1d-4e57-9a9b-7c2f10de4114.
    = ISBN 978-3-16-148410-0 | The book has the ISBN 9783161484100.
    ! ISBN 978-3-16-148410-0 | The book has the ISBN 9783161484117.
    = {"customer":{"no":"K-0098123","vat":"DE811569869"}} | Kundennummer K-0098123, USt-IdNr. DE 811569869.
    ! {"customer":{"no":"K-0098123","vat":"DE811569869"}} | Kundennummer K-0098132, USt-IdNr. DE 811569869.
    = otp sent: 6 digits, expires in 10 min | We sent a 6-digit code that expires in 10 minutes.
    ! otp sent: 6 digits, expires in 10 min | Your code is 481920; it expires in 10 minutes.
    = PR #1287 merged (commit a1b2c3d) | PR #1287 was merged as commit a1b2c3d.
    ! PR #1287 merged (commit a1b2c3d) | PR #1278 was merged as commit a1b2c3d.
    = {"license_plate":"M-AB 1234"} | Das Kennzeichen lautet M-AB 1234.
    ! {"license_plate":"M-AB 1234"} | Das Kennzeichen lautet M-AB 1243.
    = {"tracking":"1Z999AA10123456784","carrier":"UPS"} | Your UPS tracking number is 1Z 999 AA1 01 2345 6784.
    ! {"tracking":"1Z999AA10123456784","carrier":"UPS"} | Your UPS tracking number is 1Z999AA10123456748.
    = {"pnr":"X7K2QP","flight":"LH 454"} | Your booking X7K2QP is on flight LH454.
    ! {"pnr":"X7K2QP","flight":"LH 454"} | Your booking X7K2QP is on flight LH455.
    = {"iban":"DE89370400440532013000"} | We will transfer it to IBAN DE89 3704 0044 0532 0130 00.
    ! {"iban":"DE89370400440532013000"} | We will transfer it to IBAN DE89 3704 0044 0532 0310 00.
    = {"ticket":"JIRA-10482","priority":"P2"} | I opened JIRA-10482 with priority P2.
    ! {"ticket":"JIRA-10482","priority":"P2"} | I opened JIRA-10482 with priority P1.
    = {"sku":"BX-00417"} | The article number is BX-00417.
    ! {"sku":"BX-00417"} | The article number is BX-417.
    = {"commit":"9fceb02d0ae598e95dc970b74767f19372d61af8"} | It was introduced by commit 9fceb02.
    ! {"commit":"9fceb02d0ae598e95dc970b74767f19372d61af8"} | It was introduced by commit 9fceb12.
    = {"case":"2026-CV-01877"} | Your case number is 2026-CV-01877.
    = {"status":404,"path":"/v2/users/881"} | The server answered 404 for /v2/users/881.
    ! {"status":404,"path":"/v2/users/881"} | The server answered 403 for /v2/users/881.
    = {"room":"B-214"} | Your room is B-214.
    ! {"vin":"WVWZZZ1JZXW000001"} | The VIN is WVWZZZ1JZXW000010.
    = {"order": "ORD-4711"} | Your order ORD-4711 ships.
    = {"order": "ORD-4711"} | Your order #4711 ships.
    = ORD-4711 | ord_4711 ships.
    = order 4711 | Order #4711 ships.
    = /orders/ord-4711/items | Order ORD-4711 has items.
    = sku=AB12-X9 | The SKU is AB12-X9.
    = {"id": "7f3a-99c2"} | The id is 7F3A-99C2.
    = 550e8400-e29b-41d4-a716-446655440000 | It is 550e8400-e29b-41d4-a716-446655440000.
    = BA249 | Your flight is BA 249.
    = LH 430 | Your flight is LH430.
    = gate B7 | Go to gate B7.
    = {"seat": "12C"} | Your seat is 12C.
    = 4111 1111 1111 4242 | Your card ending in 4242.
    = DE89 3704 0044 0532 0130 00 | Your IBAN is DE89370400440532013000.
    = {"isbn": "978-3-16-148410-0"} | ISBN 978-3-16-148410-0
    = {"ip": "192.168.1.10"} | It runs at 192.168.1.10.
    = MAC 00:1B:44:11:3A:B7 | The address is 00:1b:44:11:3a:b7.
    = {"tracking": "1Z999AA10123456784"} | Track 1Z999AA10123456784.
    = {"id": 9007199254740991} | The id is 9007199254740991.
    = {"id": "1234567890123456789"} | The id is 1234567890123456789.
    = error E-1042 | It failed with E1042.
    = {"code": "X7"} | The code is X7.
    = room 12B | You are in room 12B.
    = CVE-2024-3094 | See CVE-2024-3094.
    = PNR: ABC123 | The booking code is ABC123.
    = case 00123 | It is case 00123.
    ! {"order": "ORD-4711"} | Your order ORD-4712 ships.
    ! {"order": "ORD-4711"} | It costs $4711.
    ! {"order": "ORD-4711"} | Your order INV-4711 ships.
    ! {"id": "7f3a-99c2"} | The id is 7f3a-99c3.
    ! BA249 | Your flight is BA 294.
    ! gate B7 | Go to gate B8.
    ! {"seat": "12C"} | Your seat is 12D.
    ! row 12 | Your seat is 12D.
    ! 4111 1111 1111 4242 | Your card ending in 4243.
    ! DE89 3704 0044 0532 0130 00 | Your IBAN is DE89370400440532013001.
    ! {"ip": "192.168.1.10"} | It runs at 192.168.1.11.
    ! {"id": "1234567890123456789"} | The id is 1234567890123456788.
    ! {"id": "1234567890123"} | The id is 1234567890124.
    ! CVE-2024-3094 | See CVE-2024-3095.
    ! PNR: ABC123 | The booking code is ABC132.
    ! {"code": "X7"} | The code is Y7.
    ! {"isbn": "978-3-16-148410-0"} | ISBN 978-3-16-148411-0
    ! MAC 00:1B:44:11:3A:B7 | The address is 00:1b:44:11:3a:b8.
    ! A12-3 | It is A1-23.
    ! form 10-K | It is form 10-Q.
    = {"iban":"DE89370400440532013000"} | IBAN DE89 3704 0044 0532 0130 00
    = ISBN 978-3-16-148410-0 | ISBN 9783161484100
    = order A-1029-X | Order A1029X was sent.
    ! {"iban":"DE89370400440532013000"} | IBAN DE89 3704 0044 0532 0130 01
    ! ticket INC0012345 | Ticket INC0012354 is open.
    ! LH 454 | Your flight is LH 455.
    = {"order_id":"SO-2024-00815"} | Your order is SO-2024-00815.
    ! {"order_id":"SO-2024-00815"} | Your order is SO-2024-00851.
    = tracking no. 1Z999AA10123456784 | Track it with 1Z 999 AA1 01 2345 6784.
    = ISBN 9780262033848 | The ISBN is 978-0-262-03384-8.
    ! ISBN 978-0-262-03384-8 | The ISBN is 978-0-262-03834-8.
    = IBAN: DE89 3704 0044 0532 0130 00 | Pay to DE89370400440532013000.
    ! IBAN: DE89 3704 0044 0532 0130 00 | Pay to DE89370400440532013001.
    = flight LH 454 to SFO | You are on LH454.
    ! flight LH 454 to SFO | You are on LH 445.
    = commit 9fceb02d0ae598e95dc970b74767f19372d61af8 | Fixed in commit 9fceb02.
    ! commit 9fceb02d0ae598e95dc970b74767f19372d61af8 | Fixed in commit 9fceb03.
    ! {"seat":"14C"} | Your seat is 14D.
    = {"confirmation":"QX7R2M"} | Your confirmation code is QX7R2M.
    ! {"confirmation":"QX7R2M"} | Your confirmation code is QX7R2N.
    = case number: CS-0098213 | I opened case CS0098213.
    ! case number: CS-0098213 | I opened case CS-0098231.
    = Reg. AB-12 CDE | The car is AB12 CDE.
    = {"invoice":"INV_2025_0042"} | See invoice INV-2025-0042.
    = {"sha":"d670460b4b4aece5915caf5c68d12f560a9fe3e4"} | It is in d670460b4b4a.
    ! {"sha":"d670460b4b4aece5915caf5c68d12f560a9fe3e4"} | It is in d670461b4b4a.
    = error ORA-00942: table or view does not exist | You got ORA-00942.
    = {"acct":"****6789"} | the account ending in 6789
    = {"booking_reference":"LX-90-QZ-14"} | Your reference is LX90QZ14.
    ! {"booking_reference":"LX-90-QZ-14"} | Your reference is LX90QZ41.
    = serial no. C02XK1JHJGH5 | Serial number C02XK1JHJGH5.
    = {"trace":"4bf92f3577b34da6a3ce929d0e0e4736"} | trace 4bf92f3577b34da6a3ce929d0e0e4736
    ! {"trace":"4bf92f3577b34da6a3ce929d0e0e4736"} | trace 4bf92f3577b34da6a3ce929d0e0e4737
    = Section 12.3(b) | section 12.3(b)
    = gate C14, boarding group 3 | Board with group 3 at gate C14.
    ! gate C14, boarding group 3 | Board with group 3 at gate C41.
    = barcode 4 006381 333931 | EAN 4006381333931
    = {"po":4500012345} | purchase order 4500012345
    = 550e8400-e29b-41d4-a716-446655440000 | 550e8400
    = {"vin":"1HGCM82633A004352"} | VIN 1HGCM82633A004352
    = VAT DE123456789 | DE 123 456 789
    = PO#45-1187 | PO 45-1187
    = #1234 | issue 1234
    = invoice INV/2024/001 | INV/2024/001
    ! invoice INV/2024/001 | INV/2024/010
    = sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 | e3b0c442
    = AB 12 34 56 C | AB123456C
    = SKU: 00-8841-Q | SKU 00-8841-Q
    = https://shop.test/orders/ORD-4711 | order ORD-4711
    ! https://shop.test/orders/ORD-4711 | order ORD-4712
    = HTTP 404 | a 404 error
    = error code 0x80070005 | 0x80070005
    ! error code 0x80070005 | 0x80070050
    = port 8443 | :8443
    = room A-101 | A101
    = H2O | H₂O
    = CO2 | CO₂
    = COVID-19 | Covid-19
    = B2B | B2B
    = MP3 file | MP3
    = A4 paper | A4
    = 4K TV | 4K
    = 3D printer | 3D
    = wi-fi 6E | WiFi 6E
    = {"ref":"TKT#88213"} | ticket 88213
    = Your PIN is 0042 | PIN 0042
    ! Your PIN is 0042 | PIN 0024
    = licence plate M-AB 1234 | M-AB 1234
    ! {"uuid":"3f2504e0-4f89-11d3-9a0c-0305e82c3301"} | 3f2504e0-4f89-11d3-9a0c-0305e82c3302
    ? {"serial":"C02XK1▒▒JG5H"} | The serial number is C02XK1A7JG5H.
    ! {"serial":"C02XK1▒▒JG5H"} | The serial number is C02XK2A7JG5H.
    ? {"order":"ORD-4711"} | Your order is ORD-4�11.
    ? IBAN DE89 37█4 0044 0532 0130 00 | Pay to DE89 3704 0044 0532 0130 00.
    ? {"iban":"DE89370400440532013000"} | Pay to DE89 37█4 0044 0532 0130 00.
    ? {"pin":"00□2"} | The PIN is 0042.
    = {"name":"Andr�","order":"ORD-4711"} | Andr� has order ORD-4711.
    ! {"name":"Andr�","order":"ORD-4711"} | Andr� has order ORD-4712.
    = {"card":"XXXX-1234"} | the card XXXX-1234
    ! {"card":"XXXX-1234"} | the card XXXX-1235
    = □ 3 items left | There are 3 items left.
    = {"p95_ms":340} | The 95th percentile is 340 ms.
    ! {"p95_ms":340} | The 99th percentile is 340 ms.
    = p99 latency: 1.2s | The p99 is 1,200 ms.
    ! p99 latency: 1.2s | The p95 is 1,200 ms.
    = Louis XIV became king in 1643 | Louis XIV became king in 1643.
    ! Chapter XII covers trees | Chapter 13 covers trees.
    = shoe size EU 42.5 | EU size 42.5
    ! shoe size EU 42.5 | EU size 43.5
    = Seat 27F, gate B22, terminal 2 | You sit in 27F; go to gate B22 in Terminal 2.
    ! Seat 27F, gate B22, terminal 2 | You sit in 27F; go to gate B22 in Terminal 3.
    = {"isbn10":"0-306-40615-2"} | ISBN 0306406152
    ! {"isbn10":"0-306-40615-2"} | ISBN 0306406153
    ? {"otp":"48█193"} | The code is 482193.
    ? {"otp":"482193"} | The code is 48█193.
    = {"pnr":"QX8LTM","eticket":"220-4471983265"} | Your ticket 220 4471983265 belongs to booking QX8LTM.
    = VIN WVWZZZ1KZ6W000123 | The VIN is WVWZZZ1KZ6W000123.
    = {"bic":"COBADEFFXXX","iban":"GB82WEST12345698765432"} | Pay to GB82 WEST 1234 5698 7654 32.
    = Ref.: 2025/DE/00917 | Your reference is 2025/DE/00917.
    = {"cas":"7732-18-5","name":"water"} | Water has the CAS number 7732-18-5.
    = {"error":{"code":"E1047"}} | It failed with error E1047.
    = HTTP/1.1 503 Service Unavailable | The service answered with status 503.
    = Patent EP 3 456 789 B1 | The patent is EP3456789B1.
    = {"uuid":"3fa85f64-5717-4562-b3fc-2c963f66afa6"} | The id is 3FA85F64-5717-4562-B3FC-2C963F66AFA6.
    = Kennzeichen: M-AB 1234 | The car's plate is M AB 1234.
    ! VIN WVWZZZ1KZ6W000123 | The VIN is WVWZZZ1KZ6W000132.
    ! HTTP/1.1 503 Service Unavailable | The service answered with status 502.
    ! {"error":{"code":"E1047"}} | It failed with error E1074.
    ! {"pnr":"QX8LTM"} | Your booking is QX8LTN, seat 4A.
    ! Locker 17, PIN 4482 | Your locker is 17 and the PIN is 4428.
    = {"order_id":"A-10093-KX"} | Your order number is A-10093-KX.
    = Tracking: 1Z999AA10123456784 | The tracking number is 1Z 999 AA1 01 2345 6784.
    = {"booking":"QF7ZT2"} | Your booking reference is QF7ZT2.
    = IBAN DE89 3704 0044 0532 0130 00 | The IBAN is DE89370400440532013000.
    = {"sku":"TS-0042-BLU-XL"} | The SKU is TS-0042-BLU-XL.
    = Error E1047: disk quota exceeded | It failed with error E1047.
    = {"invoice":"INV/2025/00817"} | See invoice INV/2025/00817.
    = Gate B22, seat 14C | You board at gate B22 and sit in 14C.
    = commit 9f3c2ab by jo | The fix is in commit 9f3c2ab.
    = {"case":"CS0012345"} | The case number is CS0012345.
    = ISBN 978-3-16-148410-0 | The ISBN is 9783161484100.
    = {"pnr":"k3x9lm"} | Your PNR is K3X9LM.
    ! {"order_id":"A-10093-KX"} | Your order number is A-10093-KY.
    ! Tracking: 1Z999AA10123456784 | The tracking number is 1Z999AA10123456748.
    ! {"booking":"QF7ZT2"} | Your booking reference is QF7ZT2A.
    ! IBAN DE89 3704 0044 0532 0130 00 | The IBAN is DE89370400440532013001.
    ! Error E1047: disk quota exceeded | It failed with error E1074.
    ! Gate B22, seat 14C | You board at gate B12 and sit in 14C.
    ! commit 9f3c2ab by jo | The fix is in commit 9f3c2ad.
    ! {"invoice":"INV/2025/00817"} | See invoice INV/2025/00871.
    = Kundennr. 00471133 | Ihre Kundennummer ist 00471133.
    = {"kennzeichen":"B-MW 4711"} | Das Kennzeichen lautet B-MW 4711.
    = NIF: 12345678Z | Su NIF es 12345678-Z.
    = {"uuid":"550e8400-e29b-41d4-a716-446655440000"} | The id is 550E8400-E29B-41D4-A716-446655440000.
    = Vol AF1234 | Votre vol est l'AF 1234.
    = 注文番号：ＡＢ－１２３４５ | 注文番号はAB-12345です。
    = {"hs_code":"8471.30"} | The HS code is 8471.30.
    = VIN WVWZZZ1JZXW000001 | VIN: WVWZZZ1JZXW000001.
    = {"ticket":"JIRA-451"} | Siehe JIRA-451.
    = color #1A2B3C | The colour is #1a2b3c.
    = CVE-2024-3094 (xz) | It is CVE-2024-3094.
    ! Kundennr. 00471133 | Ihre Kundennummer ist 0471133.
    ! {"kennzeichen":"B-MW 4711"} | Das Kennzeichen lautet B-MV 4711.
    ! NIF: 12345678Z | Su NIF es 12345678T.
    ! Vol AF1234 | Votre vol est le BF1234.
    ! {"uuid":"550e8400-e29b-41d4-a716-446655440000"} | The id is 550e8400-e29b-41d4-a716-446655440001.
    ! {"hs_code":"8471.30"} | The HS code is 8471.41.
    ! CVE-2024-3094 (xz) | It is CVE-2023-3094.
    ! 注文番号：ＡＢ－１２３４５ | 注文番号はAB-12354です。
    = {"trackingNumber":"JD014600006281230704"} | Deine Sendungsnummer lautet JD01 4600 0062 8123 0704.
    = Kfz-Steuernr. 21/815/08150 | Die Steuernummer ist 21/815/08150.
    = {"coupon":"SAVE20"} | Use the code SAVE20.
    = EAN 4006381333931 | The EAN is 4006381333931.
    = train ICE 597, coach 23, seat 65 | You are on ICE 597, coach 23, seat 65.
    = {"serial":"C02-XK1-2Q9"} | Serial number C02XK12Q9.
    = PR #4182 merged | Pull request 4182 was merged.
    = Factura F-2025/0093 | La factura es la F-2025/0093.
    = error 0x80070005 | The error code is 0x80070005.
    = {"iban":"FR7630006000011234567890189"} | L'IBAN est FR76 3000 6000 0112 3456 7890 189.
    = 予約番号は「R7-0452」 | 予約番号はR7-0452です。
    ! {"trackingNumber":"JD014600006281230704"} | Deine Sendungsnummer lautet JD014600006281230740.
    ! {"coupon":"SAVE20"} | Use the code SAVE25.
    ! EAN 4006381333931 | The EAN is 4006381333913.
    ! train ICE 597, coach 23, seat 65 | You are on IC 597, coach 23, seat 65.
    ! {"serial":"C02-XK1-2Q9"} | Serial number C02XK12Q0.
    ! PR #4182 merged | Pull request 4128 was merged.
    ! Factura F-2025/0093 | La factura es la F-2025/0039.
    ! error 0x80070005 | The error code is 0x80070050.
    = {"licence":"XK21 ABD"} | The number plate is XK21ABD.
    = Aktenzeichen 4 K 123/24 | Das Aktenzeichen ist 4 K 123/24.
    = DOI 10.1000/xyz123 | The DOI is 10.1000/xyz123.
    = Platz 23A, Wagen 7 | Seat 23A in coach 7.
    = {"otp":"048213"} | Your one-time code is 048213.
    = Zimmer 0.17 | Der Raum ist 0.17.
    = HTTP 503 from upstream | The upstream returned a 503.
    = {"cc_last4":"4242"} | The card ending in 4242 was used.
    = room B-204 | Raum B204
    = Flug LH 438 | your flight LH438
    ! {"licence":"XK21 ABD"} | The number plate is XK21ABO.
    ! Aktenzeichen 4 K 123/24 | Das Aktenzeichen ist 4 K 132/24.
    ! DOI 10.1000/xyz123 | The DOI is 10.1000/xyz124.
    ! Platz 23A, Wagen 7 | Seat 23B in coach 7.
    ! {"otp":"048213"} | Your one-time code is 48213.
    ! HTTP 503 from upstream | The upstream returned a 502.
    ! {"cc_last4":"4242"} | The card ending in 2424 was used.
    ! room B-204 | Raum C204
    ! Flug LH 438 | your flight LX438
    ! Flug LH 438 | your flight LX 438
    = {"ref":"RF18 5390 0754 7034"} | The reference is RF18539007547034.
    = SWIFT/BIC: DEUTDEFF500 | The BIC is DEUTDEFF500.
    = Ausweisnr. L01X00T47 | Die Ausweisnummer ist L01X00T47.
    = ATC code N02BE01 | ATC N02BE01
    = {"sha":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"} | commit 4b825dc
    = Los 7 von 12 | lot 7 of 12
    = chambre n° 312 | room 312
    = {"id":"usr_8fK2Lq"} | the user usr_8fK2Lq
    = Vorgang #2025-11-0042 | Vorgang 2025-11-0042
    ! {"ref":"RF18 5390 0754 7034"} | The reference is RF18539007547043.
    ! SWIFT/BIC: DEUTDEFF500 | The BIC is DEUTDEFF501.
    ! Ausweisnr. L01X00T47 | Die Ausweisnummer ist L01X00T74.
    ! ATC code N02BE01 | ATC N02BE51
    ! {"sha":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"} | commit 4b825dd
    ! chambre n° 312 | room 321
    ! {"id":"usr_8fK2Lq"} | the user usr_8fK2Lg9
    ! Vorgang #2025-11-0042 | Vorgang 2025-11-0024
    = {"pnr":"ZK4L8P","ticket":"220-2415873961"} | PNR ZK4L8P, ticket 220-2415873961
    = Serien-Nr.: SN 0098-4471-AA | SN 0098-4471-AA
    = Artikel 501.234.56 | article 501.234.56
    = HRB 123456 B | HRB 123456 B
    = MAC 00:1A:2B:3C:4D:5E | 00-1A-2B-3C-4D-5E
    = code postal 69003 | 69003 Lyon
    = ISIN DE0007164600 | DE0007164600
    = gate C7 -> C9 | moved from gate C7 to C9
    ! {"pnr":"ZK4L8P","ticket":"220-2415873961"} | ticket 220-2415873916
    ! Serien-Nr.: SN 0098-4471-AA | SN 0098-4471-AB
    ! Artikel 501.234.56 | article 501.234.65
    ! HRB 123456 B | HRA 123456 B
    ! MAC 00:1A:2B:3C:4D:5E | 00-1A-2B-3C-4D-5F
    ! ISIN DE0007164600 | DE0007164601
    ! gate C7 -> C9 | moved from gate C7 to D9
    ! Bestellung 2025-1188 | Bestellung 2025-1189
    = {"reservation_code":"HM4XK92P"} | Your reservation code is HM4XK92P.
    = Flight UA 1175, seat 21F | You are on UA1175 in seat 21F.
    = {"employee_id":"E-00417"} | Employee E-00417
    = Ticket #58213 opened | Ticket 58213 has been opened.
    = SKU: 88-XL-RED | SKU 88-XL-RED
    = Case ID 2024-CV-01877 | case 2024-CV-01877
    ! {"reservation_code":"HM4XK92P"} | Your reservation code is HM4XK29P.
    ! Flight UA 1175, seat 21F | You are in seat 21E.
    ! Flight UA 1175, seat 21F | You are on UA 1157.
    ! {"employee_id":"E-00417"} | Employee E-00471
    ! Ticket #58213 opened | Ticket 58231 has been opened.
    ! SKU: 88-XL-RED | SKU 88-XXL-RED
    ! Case ID 2024-CV-01877 | case 2023-CV-01877
    = Chapter IV | chapter 4
    = Type II diabetes | type 2 diabetes
    = part no. 5Q0-820-803-D | 5Q0820803D
    = card 5500 0000 0000 0004 | card ending in 0004
    = ＩＤ：Ｘ９－７７１ | ID X9-771
    ! Chapter IV | chapter 6
    ! Type II diabetes | type 1 diabetes
    ! part no. 5Q0-820-803-D | 5Q0-820-803-E
    ! card 5500 0000 0000 0004 | card ending in 0040
    ! ＩＤ：Ｘ９－７７１ | ID X9-717
  `,
  addresses: `
    = {"pickup":"Terminal 2, Level 3, Door 14"} | Meet the driver at Terminal 2, level 3, door 14.
    ! {"pickup":"Terminal 2, Level 3, Door 14"} | Meet the driver at Terminal 2, level 3, door 12.
    = Krankenhausweg 1-3, 72076 Tübingen, Station B5, Zimmer 12 | Ward B5, room 12, Krankenhausweg 1–3, 72076 Tübingen.
    ! Krankenhausweg 1-3, 72076 Tübingen, Station B5, Zimmer 12 | Ward B5, room 21, Krankenhausweg 1–3, 72076 Tübingen.
    = {"repo":"https://github.com/acme/shop","pr":204} | PR 204 is in https://github.com/acme/shop.
    ! {"repo":"https://github.com/acme/shop","pr":204} | PR 240 is in https://github.com/acme/shop.
    = Via Roma 18/A, 50123 Firenze FI | The shop is at Via Roma 18/A, 50123 Florence.
    ! Via Roma 18/A, 50123 Firenze FI | The shop is at Via Roma 81/A, 50123 Florence.
    = {"smtp":{"host":"mail.example.net","port":587}} | Use mail.example.net on port 587.
    ! {"smtp":{"host":"mail.example.net","port":587}} | Use mail.example.net on port 465.
    = parcel locker 142, Steinstr. 9, 44147 Dortmund | It waits in parcel locker 142 at Steinstraße 9, 44147 Dortmund.
    ! parcel locker 142, Steinstr. 9, 44147 Dortmund | It waits in parcel locker 124 at Steinstraße 9, 44147 Dortmund.
    = Lindenweg 3, 3. OG rechts, 8047 Zürich | The flat is at Lindenweg 3, third floor on the right, 8047 Zurich.
    ! Lindenweg 3, 3. OG rechts, 8047 Zürich | The flat is at Lindenweg 13, third floor on the right, 8047 Zurich.
    = {"address":{"street":"Rua Augusta","number":"1508","zip":"01304-001"}} | It is at Rua Augusta 1508, 01304-001.
    ! {"address":{"street":"Rua Augusta","number":"1508","zip":"01304-001"}} | It is at Rua Augusta 1580, 01304-001.
    = s3://backups-eu/2026/01/db.dump (14.2 GB) | The backup is s3://backups-eu/2026/01/db.dump with 14.2 GB.
    ! s3://backups-eu/2026/01/db.dump (14.2 GB) | The backup is s3://backups-eu/2026/02/db.dump with 14.2 GB.
    = PO Box 771, Springfield, IL 62705 | Mail it to PO Box 771, Springfield, IL 62705.
    ! PO Box 771, Springfield, IL 62705 | Mail it to PO Box 717, Springfield, IL 62705.
    = {"ips":["192.168.1.20","192.168.1.21"]} | The hosts 192.168.1.20 and 192.168.1.21 answer.
    ! {"ips":["192.168.1.20","192.168.1.21"]} | The hosts 192.168.1.20 and 192.168.1.22 answer.
    = git@github.com:acme/pay.git branch release/3.2 | It is in acme/pay on branch release/3.2.
    ! git@github.com:acme/pay.git branch release/3.2 | It is in acme/pay on branch release/3.3.
    = {"line1":"Flat 3, 27 Rose Lane","city":"York","postcode":"YO1 8GX"} | It goes to Flat 3, 27 Rose Lane, York YO1 8GX.
    ! {"line1":"Flat 3, 27 Rose Lane","city":"York","postcode":"YO1 8GX"} | It goes to Flat 2, 27 Rose Lane, York YO1 8GX.
    = Postfach 10 22 33, 50667 Köln | Schreiben Sie an Postfach 102233, 50667 Köln.
    ! Postfach 10 22 33, 50667 Köln | Schreiben Sie an Postfach 102332, 50667 Köln.
    = {"website":"www.shop-example.com/returns"} | Start the return at www.shop-example.com/returns.
    ! {"website":"www.shop-example.com/returns"} | Start the return at www.shop-example.com/refunds.
    = redis://cache-01.internal:6379/0 | The cache is at cache-01.internal:6379, database 0.
    ! redis://cache-01.internal:6379/0 | The cache is at cache-02.internal:6379, database 0.
    = {"file":"/var/log/app/2026-01-04.log","line":1187} | The error is in /var/log/app/2026-01-04.log on line 1187.
    ! {"file":"/var/log/app/2026-01-04.log","line":1187} | The error is in /var/log/app/2026-01-04.log on line 1178.
    = 12, avenue Foch, bâtiment C, 69006 Lyon | Bâtiment C, 12 avenue Foch, 69006 Lyon.
    ! 12, avenue Foch, bâtiment C, 69006 Lyon | Bâtiment C, 12 avenue Foch, 69003 Lyon.
    = geo: 52.5200° N, 13.4050° E | Berlin lies at 52.52° N, 13.405° E.
    ! geo: 52.5200° N, 13.4050° E | Berlin lies at 52.25° N, 13.405° E.
    = 1600 Amphitheatre Pkwy, Mountain View, CA 94043 | Send it to 1600 Amphitheatre Parkway, Mountain View, CA 94043.
    ! 1600 Amphitheatre Pkwy, Mountain View, CA 94043 | Send it to 1600 Amphitheatre Parkway, Mountain View, CA 94034.
    = {"unit":"Apt 5B","building":"No. 12","zip":"M5V 2T6"} | It is building 12, apartment 5B, M5V 2T6.
    ! {"unit":"Apt 5B","building":"No. 12","zip":"M5V 2T6"} | It is building 12, apartment 4B, M5V 2T6.
    = {"endpoint":"https://api.example.com:8443/v1/orders?limit=50"} | Call https://api.example.com:8443/v1/orders?limit=50.
    ! {"endpoint":"https://api.example.com:8443/v1/orders?limit=50"} | Call https://api.example.com:8443/v1/orders?limit=100.
    = contact: support@acme.io / sales@acme.io | Write to support@acme.io.
    ! contact: support@acme.io / sales@acme.io | Write to billing@acme.io.
    = {"cidr":"10.20.0.0/16","gw":"10.20.0.1"} | The network is 10.20.0.0/16 with gateway 10.20.0.1.
    ! {"cidr":"10.20.0.0/16","gw":"10.20.0.1"} | The network is 10.20.0.0/24 with gateway 10.20.0.1.
    = Avda. Diagonal 211, planta 14, 08018 Barcelona | Estamos en la Avenida Diagonal 211, planta 14, 08018 Barcelona.
    ! Avda. Diagonal 211, planta 14, 08018 Barcelona | Estamos en la Avenida Diagonal 211, planta 11, 08018 Barcelona.
    = ipv6 2001:db8::1, ipv4 203.0.113.9 | The server has 203.0.113.9 and 2001:db8::1.
    ! ipv6 2001:db8::1, ipv4 203.0.113.9 | The server has 203.0.113.90 and 2001:db8::1.
    = Parkhaus Ebene -2, Stellplatz 147 | Ihr Auto steht auf Ebene -2, Platz 147.
    ! Parkhaus Ebene -2, Stellplatz 147 | Ihr Auto steht auf Ebene -3, Platz 147.
    = {"street":"221B Baker Street","postcode":"NW1 6XE"} | Please come to 221B Baker Street, NW1 6XE.
    ! {"street":"221B Baker Street","postcode":"NW1 6XE"} | Please come to 212B Baker Street, NW1 6XE.
    = Hauptstraße 14a, 10827 Berlin | Das Büro ist in der Hauptstraße 14a in 10827 Berlin.
    ! Hauptstraße 14a, 10827 Berlin | Das Büro ist in der Hauptstraße 41a in 10827 Berlin.
    = 8 rue de la Paix, 75002 Paris, 3e étage | Rendez-vous au 8 rue de la Paix, 75002 Paris, au 3e étage.
    ! 8 rue de la Paix, 75002 Paris, 3e étage | Rendez-vous au 8 rue de la Paix, 75008 Paris, au 3e étage.
    = {"host":"10.0.4.17","port":5432} | The database listens on 10.0.4.17:5432.
    ! {"host":"10.0.4.17","port":5432} | The database listens on 10.0.4.17:5433.
    = {"email":"jana.novak+shop@example.org"} | I sent the receipt to jana.novak+shop@example.org.
    ! {"email":"jana.novak+shop@example.org"} | I sent the receipt to jana.novak@example.org.
    = {"url":"https://docs.example.com/v3/auth#tokens"} | See https://docs.example.com/v3/auth#tokens for details.
    ! {"url":"https://docs.example.com/v3/auth#tokens"} | See https://docs.example.com/v3/login for details.
    = {"lat":48.85837,"lon":2.294481} | The tower stands at 48.85837, 2.294481.
    ! {"lat":48.85837,"lon":2.294481} | The tower stands at 48.83857, 2.294481.
    = {"mac":"3c:22:fb:9a:10:7e"} | The device has the MAC address 3C-22-FB-9A-10-7E.
    = Calle de Alcalá 45, 2º B, 28014 Madrid | La oficina está en la Calle de Alcalá 45, 2º B, 28014 Madrid.
    ! Calle de Alcalá 45, 2º B, 28014 Madrid | La oficina está en la Calle de Alcalá 45, 3º B, 28014 Madrid.
    = 221B Baker Street, London | Come to 221B Baker Street.
    = {"zip": "10115"} | 10115 Berlin
    = SW1A 1AA | The postcode is SW1A1AA.
    = {"street": "1600 Pennsylvania Ave NW"} | It is at 1600 Pennsylvania Avenue.
    = Apt 4B | Ring at apt 4B.
    = https://shop.test/orders/81 | See https://shop.test/orders/81/.
    = www.shop.test/a1 | See https://shop.test/a1.
    = mailto:jo5@shop.test | Write to JO5@shop.test.
    = {"mail": "jo@shop.test"} | Write to jo@shop.test, please.
    = Hauptstr. 12a, 10115 Berlin | Hauptstraße 12a
    = P.O. Box 123 | Write to PO Box 123.
    = 5th Avenue | It is on 5th Avenue.
    = Fifth Avenue 7 | It is on 5th Avenue.
    = {"lat": 52.52, "lng": 13.405} | It is at 52.52, 13.405.
    = {"lat": -33.86} | It is at -33.86.
    = floor 3 | It is on the 3rd floor.
    = 12345-6789 | The ZIP is 12345-6789.
    ! 221B Baker Street, London | Come to 221A Baker Street.
    ! 221 Baker Street | Come to 221B Baker Street.
    ! {"zip": "10115"} | 10117 Berlin
    ! SW1A 1AA | The postcode is SW1A 2AA.
    ! {"street": "1600 Pennsylvania Ave NW"} | It is at 1650 Pennsylvania Avenue.
    ! Apt 4B | Ring at apt 4C.
    ! https://shop.test/orders/81 | See https://shop.test/orders/82.
    ! mailto:jo5@shop.test | Write to jo6@shop.test.
    ! jo@shop.test | Write to jo@shop2.test.
    ! 5th Avenue | It is on 6th Avenue.
    ! floor 3 | It is on the 4th floor.
    ! {"lat": -33.86} | It is at 33.86.
    ! {"lat": 52.52, "lng": 13.405} | It is at 52.25, 13.405.
    ! 12345-6789 | The ZIP is 12345-6798.
    ! Hauptstr. 12a | Hauptstraße 12b
    = Hauptstraße 12b, 10115 Berlin | Hauptstr. 12b in 10115 Berlin
    ! Hauptstraße 12b, 10115 Berlin | Hauptstraße 21b, 10115 Berlin
    ! 10115 Berlin | 10151 Berlin
    ! 10.0.0.7 | It is at 10.0.0.17.
    = GET http://10.0.0.7:8080/health returned 200 | The service at 10.0.0.7:8080 is healthy.
    ! GET http://10.0.0.7:8080/health returned 200 | The service at 10.0.0.7:8081 is healthy.
    ! GET http://10.0.0.7:8080/health returned 200 | The service at 10.0.0.17:8080 is healthy.
    = 221B Baker Street, London NW1 6XE | Go to 221B Baker St., London NW1 6XE.
    ! 221B Baker Street, London NW1 6XE | Go to 212B Baker Street, London.
    = {"street":"Hauptstr. 12","zip":"10827","city":"Berlin"} | Ship to Hauptstraße 12, 10827 Berlin.
    ! {"street":"Hauptstr. 12","zip":"10827","city":"Berlin"} | Ship to Hauptstraße 12, 10872 Berlin.
    = contact: Support+EU24@acme.io | Write to support+eu24@acme.io.
    ! contact: support+eu24@acme.io | Write to support+eu42@acme.io.
    = https://docs.acme.io/v2/setup?lang=en#step3 | See docs.acme.io/v2/setup.
    = inet6 fe80::1ff:fe23:4567:890a | The address is FE80::1FF:FE23:4567:890A.
    ! subnet 192.168.1.0/24 | The subnet is 192.168.1.0/16.
    = curl -s https://api.acme.dev:9443/v1/users/u_8812 | The host is api.acme.dev:9443, the user u_8812.
    ! curl -s https://api.acme.dev:9443/v1/users/u_8812 | The user is u_8821.
    = server 172.16.254.1 port 22 | Connect to 172.16.254.1:22.
    ! server 172.16.254.1 port 22 | Connect to 172.16.254.2:22.
    = 350 Fifth Avenue, New York, NY 10118 | It is at 350 5th Ave, New York, NY 10118.
    ! 350 Fifth Avenue, New York, NY 10118 | It is at 530 5th Ave, New York, NY 10118.
    = Rue de Rivoli 99, 75001 Paris | 99 rue de Rivoli, 75001 Paris
    = {"email":"m.lopez82@uni.example"} | Mail M.Lopez82@uni.example.
    = gps 40.7128° N, 74.0060° W | It is at 40.7128, 74.0060.
    ! Suite 400, 12 Main St | Suite 404, 12 Main St
    = {"url":"https://shop.example/p/8841?ref=mail"} | https://shop.example/p/8841
    ! {"url":"https://shop.example/p/8841?ref=mail"} | https://shop.example/p/8814
    = ssh deploy@10.20.0.5 -p 2222 | Log in to 10.20.0.5 on port 2222.
    ! ssh deploy@10.20.0.5 -p 2222 | Log in to 10.20.0.5 on port 22.
    = {"house":"7b","road":"Elm Close","postcode":"BS8 2JX"} | 7b Elm Close, BS8 2JX
    = Calle Mayor, 28013 Madrid, n.º 14 | Calle Mayor 14, 28013 Madrid
    = mongodb://mongo-2.svc:27017/db1 | mongo-2.svc:27017
    ! mongodb://mongo-2.svc:27017/db1 | mongo-3.svc:27017
    = sales-eu1@corp.example | sales-EU1@corp.example
    = Level 5, 100 George St, Sydney NSW 2000 | Level 5, 100 George Street, Sydney 2000
    = redis://cache-1.internal:6379/0 | cache-1.internal:6379
    ! redis://cache-1.internal:6379/0 | cache-1.internal:6380
    = {"host":"10.1.2.3","port":5432} | 10.1.2.3:5432
    = postgres://db.acme.io:5432/app | port 5432 of db.acme.io
    = [2001:db8::1]:443 | 2001:db8::1
    = 10.0.0.0/8 | 10.0.0.0/8
    ! 10.0.0.0/8 | 10.0.0.0/16
    = 1600 Amphitheatre Pkwy, Mountain View, CA 94043 | 1600 Amphitheatre Parkway, Mountain View, CA 94043-
    = 10 Downing St, SW1A 2AA | 10 Downing Street, London SW1A 2AA
    = {"lat":48.8584,"lon":2.2945} | 48.8584° N, 2.2945° E
    = 48°51'30"N | 48°51'30" N
    ! 48°51'30"N | 48°51'31" N
    = https://example.com/a?b=1&c=2 | https://example.com/a?c=2&b=1
    = http://example.com:80/x1 | http://example.com/x1
    = s3://bucket-7/key/2024/a.csv | bucket-7
    = /var/log/app-3/error.log | /var/log/app-3/error.log
    ! /var/log/app-3/error.log | /var/log/app-4/error.log
    = C:\\Users\\u1\\file2.txt | C:\\Users\\u1\\file2.txt
    = @user123 on X | user123
    = line 42 of src/app.ts | src/app.ts:42
    = {"endpoint":"https://eu-west-1.api.example.net:8443/hooks/77"} | eu-west-1.api.example.net on port 8443
    ! {"endpoint":"https://eu-west-1.api.example.net:8443/hooks/77"} | eu-west-2.api.example.net
    = Flat 3, 18 Mill Lane, CB4 1AB | 18 Mill Lane, Flat 3, CB4 1AB
    = ping 8.8.8.8 | 8.8.8.8 answers
    ! ping 8.8.8.8 | 8.8.4.4 answers
    = jo(at)shop(dot)test | Write to jo@shop.test.
    = Mail: jo.doe at acme dot co dot uk | jo.doe@acme.co.uk
    = jo@shop.test | Write to jo [at] shop [dot] test.
    = ventas {arroba} tienda {punto} es | Write to ventas@tienda.es.
    ! support [at] acme-tools [dot] io | Write to sales@acme-tools.io.
    ! support@acme.io | Write to help [at] acme [dot] io.
    ! See https://docs.acme.io/setup/ for the full guide. | The guide is at docs.acme.io/install.
    ! See the guide. | The guide is at docs.acme.io/setup.
    ! See https://docs.acme.io/setup | The guide is at docs.acme.com/setup.
    = docs.acme.io/setup and 3 more | Read docs.acme.io/setup and 3 more pages.
    = We use 2 tools | It has 2 parts: Node.js/Express and/or TCP/IP, ASP.NET/Core, Booking.com/Expedia.
    = {"lat":-33.8568,"lon":151.2153} | 33.8568 S, 151.2153 E
    = 33.8568° S, 151.2153° E | -33.8568, 151.2153
    = {"lat":48.8584,"lon":-2.2945} | 48.8584 degrees north, 2.2945 degrees west
    ! {"lat":-33.8568,"lon":151.2153} | 33.8568° N, 151.2153° E
    ! {"lat":33.8568} | 33.8568° S
    ! 48.8584° N | 48.8584° S
    ! {"lat":33.8568} | 33.8568° W
    = ::1 | It listens on 0:0:0:0:0:0:0:1.
    = fe80:0:0:0:1ff:fe23:4567:890a | fe80::1ff:fe23:4567:890a
    = {"ip":"2001:DB8:0:0:8:800:200C:417A"} | 2001:db8::8:800:200c:417a
    ! {"host":"2001:0db8:0000:0000:0000:ff00:0042:8329"} | 2001:db8::ff00:42:8328
    ! fe80::1 | fe80::2
    ! 2001:db8::1 | 2001:db8:1::1
    = mac 00:1A:2B:3C:4D:5E | 00:1a:2b:3c:4d:5e
    ! mac 00:1A:2B:3C:4D:5E | 00:1a:2b:3c:4d:5f
    ! ZIP 90210-1234 | ZIP code 90210-1243
    = 40°26′46″ N 79°58′56″ W | 40° 26' 46" N, 79° 58' 56" W
    ! 40°26′46″ N 79°58′56″ W | 40° 26' 46" N, 79° 58' 57" W
    = {"lat":40.446111,"lon":-79.982222} | 40.446111° N, 79.982222° W
    ! {"lat":40.446111,"lon":-79.982222} | 40.446111° N, 79.982222° E
    = {"addr":"Via Roma 15/B, 20121 Milano MI"} | We ship to Via Roma 15/B in 20121 Milan.
    = PO Box 4417, Denver CO 80204 | Write to P.O. Box 4417, Denver, CO 80204.
    = {"lat":48.8584,"lon":2.2945} | It stands at 48.8584, 2.2945.
    = Calle Mayor, 7, 3º B | She lives at Calle Mayor 7, third floor B.
    = {"repo":"git@github.com:acme/shop.git"} | Clone git@github.com:acme/shop.git.
    = Server at 172.16.254.1/24 | The server's network is 172.16.254.1/24.
    = {"mac":"3c:22:fb:4a:9e:01"} | Its MAC address is 3C-22-FB-4A-9E-01.
    = {"path":"/var/log/app/2025-06-01.log"} | See /var/log/app/2025-06-01.log.
    = Apt 4C, 88 Greenwich St, NY 10006 | Deliver to 88 Greenwich Street, Apt 4C, New York 10006.
    = Zustellung: Hauptstr. 3a, A-1010 Wien | It goes to Hauptstraße 3a, 1010 Vienna.
    ! {"addr":"Via Roma 15/B, 20121 Milano MI"} | We ship to Via Roma 51 in 20121 Milan.
    ! {"lat":48.8584,"lon":2.2945} | It stands at 48.8584, 2.2954.
    ! Server at 172.16.254.1/24 | The server's network is 172.16.254.1/16.
    ! {"email":"r.santos@clinic.example"} | Write to r.santos@clinics.example.
    ! Apt 4C, 88 Greenwich St | Deliver to 88 Greenwich Street, Apt 4D.
    = {"street":"221B Baker Street","city":"London","postcode":"NW1 6XE"} | Go to 221B Baker Street, London NW1 6XE.
    = Hauptstr. 12a, 10115 Berlin | The office is at Hauptstraße 12a, 10115 Berlin.
    = 1600 Pennsylvania Ave NW, Washington, DC 20500 | The address is 1600 Pennsylvania Avenue NW, Washington, DC 20500.
    = {"address":"10 rue de la Paix, 75002 Paris"} | It is at 10, rue de la Paix in Paris (75002).
    = 〒100-0001 東京都千代田区千代田1-1 | The postal code is 100-0001 and the address is Chiyoda 1-1.
    = Suite 400, 5th floor | It is suite 400 on the 5th floor.
    = {"lat":52.5163,"lon":13.3777} | The coordinates are 52.5163, 13.3777.
    = P.O. Box 3417, Reno, NV 89505-3417 | Write to PO Box 3417, Reno, NV 89505-3417.
    = {"host":"db-03.internal","port":5432,"ip":"10.20.30.41"} | Connect to 10.20.30.41:5432 (db-03.internal).
    = support@acme24.example | Write to support@acme24.example.
    = {"unit":"Apt 7C","building":18} | It is apartment 7C in building 18.
    = lat -33.8568, lng 151.2153 | It lies at 33.8568° S, 151.2153° E.
    ! {"street":"221B Baker Street"} | Go to 212B Baker Street.
    ! Hauptstr. 12a, 10115 Berlin | The office is at Hauptstraße 12b, 10115 Berlin.
    ! 1600 Pennsylvania Ave NW, Washington, DC 20500 | The address is 1600 Pennsylvania Avenue NW, Washington, DC 20050.
    ! Suite 400, 5th floor | It is suite 400 on the 4th floor.
    ! {"lat":52.5163,"lon":13.3777} | The coordinates are 52.5163, 13.3377.
    ! {"host":"db-03.internal","ip":"10.20.30.41"} | Connect to 10.20.30.14.
    ! support@acme24.example | Write to support@acme42.example.
    ! lat -33.8568, lng 151.2153 | It lies at 33.8568° N, 151.2153° E.
    = Calle Mayor 15, 2º B, 28013 Madrid | Vive en la calle Mayor 15, 2.º B (28013 Madrid).
    = {"rue":"12 bis, avenue Foch","cp":"75116"} | C'est au 12 bis avenue Foch, 75116 Paris.
    = 東京都港区六本木6丁目10番1号 | 住所は六本木6-10-1です。
    = Am Markt 3-5, 28195 Bremen | Am Markt 3–5 in 28195 Bremen.
    = https://shop.example/p/8841?ref=77 | See https://shop.example/p/8841?ref=77.
    = {"street_number":742,"street":"Evergreen Terrace"} | 742 Evergreen Terrace.
    = Flat 3, 27 King's Rd, SW3 4UD | Flat 3, 27 King's Road, London SW3 4UD.
    = 2001:db8::1 | The address is 2001:db8::1.
    = Km 23,5 carretera A-6 | Está en el km 23,5 de la A-6.
    ! Calle Mayor 15, 2º B, 28013 Madrid | Vive en la calle Mayor 15, 3.º B.
    ! {"rue":"12 bis, avenue Foch","cp":"75116"} | C'est au 12 ter avenue Foch, 75161 Paris.
    ! 東京都港区六本木6丁目10番1号 | 住所は六本木6-11-1です。
    ! https://shop.example/p/8841?ref=77 | See https://shop.example/p/8814?ref=77.
    ! 2001:db8::1 | The address is 2001:db8::2.
    ! Flat 3, 27 King's Rd, SW3 4UD | Flat 3, 27 King's Road, London SW3 4UG.
    = {"addr":"Bahnhofstrasse 45","zip":"8001","city":"Zürich"} | Die Adresse ist Bahnhofstrasse 45, 8001 Zürich.
    = Via Roma 7/B, 20121 Milano | L'indirizzo è Via Roma 7/B, 20121 Milano.
    = 350 5th Ave Fl 34, New York, NY 10118 | It is on the 34th floor of 350 Fifth Avenue, New York, NY 10118.
    = http://10.0.8.12:9090/graph | Open http://10.0.8.12:9090/graph.
    = Apartado 1042, Lisboa | O endereço é Apartado 1042, Lisboa.
    = {"w3w":"///filled.count.soap","lat":51.520847,"lng":-0.195521} | It is at 51.520847, -0.195521.
    = 大阪市北区梅田3-1-3 | 住所は梅田3丁目1番3号です。
    = info@hotel-7.example | Mail info@hotel-7.example.
    ! {"addr":"Bahnhofstrasse 45","zip":"8001","city":"Zürich"} | Die Adresse ist Bahnhofstrasse 54, 8001 Zürich.
    ! Via Roma 7/B, 20121 Milano | L'indirizzo è Via Roma 7/C, 20121 Milano.
    ! 350 5th Ave Fl 34, New York, NY 10118 | It is on the 43rd floor of 350 Fifth Avenue.
    ! http://10.0.8.12:9090/graph | Open http://10.0.8.21:9090/graph.
    ! {"lat":51.520847,"lng":-0.195521} | It is at 51.520847, 0.195521.
    ! 大阪市北区梅田3-1-3 | 住所は梅田3丁目1番8号です。
    ! info@hotel-7.example | Mail info@hotel-1.example.
    = {"calle":"Gran Vía","numero":28,"piso":"3º","puerta":"C"} | Gran Vía 28, 3.º C.
    = Unit 4/17 Smith St, Fitzroy VIC 3065 | It is at Unit 4/17 Smith Street, Fitzroy VIC 3065.
    = Straße des 17. Juni 135, 10623 Berlin | Straße des 17. Juni 135 in 10623 Berlin
    = ftp.example.org:2121 | Use ftp.example.org on port 2121.
    = 59.9139° N, 10.7522° E | It lies at 59.9139 N, 10.7522 E.
    = 1-2-3 Ginza, Chuo-ku 104-0061 | 〒104-0061 中央区銀座1-2-3
    = CEP 01310-100 | O CEP é 01310-100.
    ! {"calle":"Gran Vía","numero":28,"piso":"3º"} | Gran Vía 82, 3.º.
    ! Unit 4/17 Smith St, Fitzroy VIC 3065 | It is at Unit 4/71 Smith Street.
    ! Straße des 17. Juni 135, 10623 Berlin | Straße des 17. Juni 153 in 10623 Berlin
    ! ftp.example.org:2121 | Use ftp.example.org on port 2112.
    ! 59.9139° N, 10.7522° E | It lies at 59.9193 N, 10.7522 E.
    ! CEP 01310-100 | O CEP é 01310-110.
    = {"line1":"Kungsgatan 12","line2":"111 35 Stockholm"} | Kungsgatan 12, 111 35 Stockholm
    = ul. Długa 5/7, 00-238 Warszawa | It is at Długa 5/7, 00-238 Warsaw.
    = A-1010 Wien, Stephansplatz 3 | Stephansplatz 3, 1010 Wien
    = 4th & Main, Suite 210B | Suite 210B at 4th and Main
    = ssh -p 2222 ops@bastion.example | ops@bastion.example on port 2222
    = fe80::1ff:fe23:4567:890a | fe80::1ff:fe23:4567:890a
    ! {"line1":"Kungsgatan 12","line2":"111 35 Stockholm"} | Kungsgatan 12, 111 53 Stockholm
    ! ul. Długa 5/7, 00-238 Warszawa | It is at Długa 5/7, 00-283 Warsaw.
    ! A-1010 Wien, Stephansplatz 3 | Stephansplatz 8, 1010 Wien
    ! 4th & Main, Suite 210B | Suite 201B at 4th and Main
    ! ssh -p 2222 ops@bastion.example | ops@bastion.example on port 2022
    ! fe80::1ff:fe23:4567:890a | fe80::1ff:fe23:4567:890b
    = {"addr":"77 Massachusetts Ave, Bldg 32-123, Cambridge MA 02139"} | 77 Massachusetts Avenue, Building 32-123, Cambridge, MA 02139
    = Piazza del Duomo, 14 - 50122 Firenze (FI) | Piazza del Duomo 14, 50122 Firenze
    = C/ Aragó 255, 3r 2a, 08007 Barcelona | Carrer d'Aragó 255, 08007 Barcelona
    = Postbus 20350, 2500 EJ Den Haag | Postbus 20350, 2500 EJ Den Haag
    = subnet 192.168.40.0/22 | the subnet 192.168.40.0/22
    = https://api.example.com/v2/users?page=3 | https://api.example.com/v2/users?page=3
    ! {"addr":"77 Massachusetts Ave, Bldg 32-123, Cambridge MA 02139"} | Building 32-132, Cambridge, MA 02139
    ! Piazza del Duomo, 14 - 50122 Firenze (FI) | Piazza del Duomo 41, 50122 Firenze
    ! C/ Aragó 255, 3r 2a, 08007 Barcelona | Carrer d'Aragó 255, 08070 Barcelona
    ! Postbus 20350, 2500 EJ Den Haag | Postbus 20350, 2500 EG Den Haag
    ! subnet 192.168.40.0/22 | the subnet 192.168.40.0/24
    ! https://api.example.com/v2/users?page=3 | https://api.example.com/v1/users?page=3
    ! Haus 7 | Haus 7a
    = {"street":"Lindenweg 8","zip":"50674","city":"Köln"} | Lindenweg 8, 50674 Köln
    = 1 Infinite Loop, Cupertino, CA 95014 | 1 Infinite Loop in Cupertino (95014)
    = 48 Rue des Lilas, 3e étage, 69008 Lyon | 48 rue des Lilas, third floor, 69008 Lyon
    = server 172.16.4.9 port 8443 | 172.16.4.9 on port 8443
    ! {"street":"Lindenweg 8","zip":"50674","city":"Köln"} | Lindenweg 18, 50674 Köln
    ! 1 Infinite Loop, Cupertino, CA 95014 | Cupertino, CA 95041
    ! 48 Rue des Lilas, 69008 Lyon | 48 rue des Lilas, 69003 Lyon
    ! server 172.16.4.9 port 8443 | 172.16.9.4 on port 8443
    = 12/3 High St | 12/3 High Street
    = 4711 Elm Rd #5 | unit 5, 4711 Elm Road
    = SW1A 2AA | SW1A2AA
    ! 12/3 High St | 13/2 High Street
    ! 4711 Elm Rd #5 | unit 6, 4711 Elm Road
    ! SW1A 2AA | SW1A 2AB
  `,
  measures: `
    = {"run":{"km":10.02,"time":"52:14","pace":"5:13/km"}} | You ran 10.02 km in 52:14, at 5:13 per kilometre.
    ! {"run":{"km":10.02,"time":"52:14","pace":"5:13/km"}} | You ran 10.02 km in 52:41, at 5:13 per kilometre.
    = Teig: 500 g Mehl, 325 ml Wasser, 10 g Salz, 7 g Hefe | The dough needs 500 g of flour, 325 ml of water, 10 g of salt and 7 g of yeast.
    ! Teig: 500 g Mehl, 325 ml Wasser, 10 g Salz, 7 g Hefe | The dough needs 500 g of flour, 352 ml of water, 10 g of salt and 7 g of yeast.
    = {"pressure_hpa":1013.2,"visibility_km":9} | The pressure is 1013.2 hPa and the visibility 9 km.
    ! {"pressure_hpa":1013.2,"visibility_km":9} | The pressure is 1031.2 hPa and the visibility 9 km.
    = Le colis fait 2,35 kg (max. 5 kg) | The parcel weighs 2.35 kg; the limit is 5 kg.
    ! Le colis fait 2,35 kg (max. 5 kg) | The parcel weighs 2.53 kg; the limit is 5 kg.
    = CPU 3.6 GHz (boost 4.8 GHz), TDP 65 W | The CPU runs at 3.6 GHz, up to 4.8 GHz, with 65 watts.
    ! CPU 3.6 GHz (boost 4.8 GHz), TDP 65 W | The CPU runs at 3.6 GHz, up to 4.8 GHz, with 95 watts.
    = {"response":{"bytes":20480,"ms":95}} | The response has 20,480 bytes and took 95 ms.
    ! {"response":{"bytes":20480,"ms":95}} | The response has 24,080 bytes and took 95 ms.
    = La bañera tiene 170 x 75 cm y 180 litros | The bath is 170 × 75 cm and holds 180 litres.
    ! La bañera tiene 170 x 75 cm y 180 litros | The bath is 170 × 75 cm and holds 210 litres.
    = Grundstück 612 m², GRZ 0,4 | The plot has 612 square metres with a ratio of 0.4.
    ! Grundstück 612 m², GRZ 0,4 | The plot has 621 square metres with a ratio of 0.4.
    = dosage 0.5 mg/kg, weight 62 kg | The dose is 0.5 mg/kg for 62 kg.
    ! dosage 0.5 mg/kg, weight 62 kg | The dose is 31 mg for 62 kg.
    = {"temps_c":[4,9,-2]} | Temperatures were 4, 9 and -2 °C.
    ! {"temps_c":[4,9,-2]} | Temperatures were 4, 9 and 2 °C.
    ! rope 9.8 mm, 60 m, 63 g/m | It weighs 63 g per foot.
    = flow 12 l/m | The flow is 12 litres per minute.
    ! flow 12 l/m | The flow is 12 litres per hour.
    = {"size":"412G","total":"1.0T"} | 412 GB of 1 TB
    = memory limit 512M | The memory limit is 512 MB.
    ! memory limit 512M | The memory limit is 512 GB.
    = 5m views | 5 million views
    = {"dimensions":{"w_cm":60,"h_cm":85,"d_cm":55},"weight_kg":"48.5"} | It is 60 cm wide, 85 cm high and 55 cm deep and weighs 48.5 kg.
    ! {"dimensions":{"w_cm":60,"h_cm":85,"d_cm":55},"weight_kg":"48.5"} | It is 60 cm wide, 95 cm high and 55 cm deep and weighs 48.5 kg.
    = Schneehöhe: Tal 15 cm, Berg 120 cm; 23 von 31 Liften offen | There are 120 cm of snow at the top and 15 cm in the valley; 23 of 31 lifts run.
    ! Schneehöhe: Tal 15 cm, Berg 120 cm; 23 von 31 Liften offen | There are 210 cm of snow at the top and 15 cm in the valley; 23 of 31 lifts run.
    = Arroz: 200 g por 2 personas, 18 min de cocción | Use 200 g of rice for two people and cook it for 18 minutes.
    ! Arroz: 200 g por 2 personas, 18 min de cocción | Use 200 g of rice for two people and cook it for 28 minutes.
    = {"cpu_percent":73.2,"load":[1.9,2.4,2.1]} | CPU is at 73.2%, with loads of 1.9, 2.4 and 2.1.
    ! {"cpu_percent":73.2,"load":[1.9,2.4,2.1]} | CPU is at 73.2%, with loads of 1.9, 4.2 and 2.1.
    = Puissance 7 kW, autonomie 385 km, recharge 20-80 % en 28 min | It has 385 km of range and charges from 20 to 80% in 28 minutes.
    ! Puissance 7 kW, autonomie 385 km, recharge 20-80 % en 28 min | It has 385 km of range and charges from 10 to 80% in 28 minutes.
    = rope 9.8 mm, 60 m, 63 g/m | The rope is 60 metres long, 9.8 mm thick and weighs 63 g per metre.
    ! rope 9.8 mm, 60 m, 63 g/m | The rope is 70 metres long, 9.8 mm thick and weighs 63 g per metre.
    = {"image":{"width":4032,"height":3024,"mb":3.1}} | The photo has 4032 × 3024 pixels and 3.1 MB.
    ! {"image":{"width":4032,"height":3024,"mb":3.1}} | The photo has 4032 × 3042 pixels and 3.1 MB.
    = Vitamin D 20 µg (1000 IE) pro Tag | Take 20 micrograms of vitamin D a day.
    ! Vitamin D 20 µg (1000 IE) pro Tag | Take 20 milligrams of vitamin D a day.
    = wind gusts 54 kn, waves 3.5 m | Gusts of 54 knots and 3.5 m waves are expected.
    ! wind gusts 54 kn, waves 3.5 m | Gusts of 45 knots and 3.5 m waves are expected.
    = {"sleep":{"hours":6.75,"deep_min":82}} | You slept 6.75 hours, 82 minutes of them deeply.
    ! {"sleep":{"hours":6.75,"deep_min":82}} | You slept 7.65 hours, 82 minutes of them deeply.
    = {"body_temp":"38.4 °C","spo2":"96 %"} | Temperature 38.4 °C, oxygen saturation 96%.
    ! {"body_temp":"38.4 °C","spo2":"96 %"} | Temperature 38.4 °C, oxygen saturation 69%.
    = Elevation gain 640 m over 9.3 km | The hike climbs 640 metres over 9.3 kilometres.
    ! Elevation gain 640 m over 9.3 km | The hike climbs 640 metres over 9.3 miles.
    = {"heap_used_mb":412.5,"heap_limit_mb":512} | The heap uses 412.5 MB of 512 MB.
    ! {"heap_used_mb":412.5,"heap_limit_mb":512} | The heap uses 421.5 MB of 512 MB.
    = Karton 40 x 30 x 20 cm, max. 10 kg | Der Karton misst 40 × 30 × 20 cm und fasst höchstens 10 Kilogramm.
    ! Karton 40 x 30 x 20 cm, max. 10 kg | Der Karton misst 40 × 30 × 25 cm und fasst höchstens 10 Kilogramm.
    = 1 cup flour (120 g), 2 eggs, 1/2 tsp salt | You need 120 g of flour, 2 eggs and half a teaspoon of salt.
    ! 1 cup flour (120 g), 2 eggs, 1/2 tsp salt | You need 150 g of flour, 2 eggs and half a teaspoon of salt.
    = {"speed_limit":50,"unit":"km/h","measured":67} | You drove 67 km/h where 50 is allowed.
    ! {"speed_limit":50,"unit":"km/h","measured":67} | You drove 76 km/h where 50 is allowed.
    = Consommation : 3 450 kWh/an | The annual consumption is 3,450 kWh.
    ! Consommation : 3 450 kWh/an | The annual consumption is 3,540 kWh.
    = {"throughput":"1.2k req/s","p99_ms":210} | It handles 1,200 requests per second with a p99 of 210 ms.
    ! {"throughput":"1.2k req/s","p99_ms":210} | It handles 1,200 requests per second with a p99 of 120 ms.
    = Tasa de glucosa: 95 mg/dl | Your glucose is 95 mg/dL.
    ! Tasa de glucosa: 95 mg/dl | Your glucose is 59 mg/dL.
    = {"tokens":{"input":1532,"output":248}} | It used 1,532 input tokens and 248 output tokens.
    ! {"tokens":{"input":1532,"output":248}} | It used 1,532 input tokens and 284 output tokens.
    = tyre pressure 2.4 bar (35 psi) | Inflate the tyres to 2.4 bar, that is 35 psi.
    ! tyre pressure 2.4 bar (35 psi) | Inflate the tyres to 2.6 bar, that is 35 psi.
    ! {"cpu":"2 vCPU","mem":"4 GiB","disk":"80 GB"} | The instance has 4 vCPUs, 4 GiB of RAM and an 80 GB disk.
    = Pool 25 m x 12.5 m, depth 1.8 m | The pool measures 25 × 12.5 m and is 1.80 m deep.
    ! Pool 25 m x 12.5 m, depth 1.8 m | The pool measures 50 × 12.5 m and is 1.80 m deep.
    = Serving 30 g: 118 kcal, 6 g protein | One serving (30 g) has 118 kcal and 6 grams of protein.
    ! Serving 30 g: 118 kcal, 6 g protein | One serving (30 g) has 118 kcal and 9 grams of protein.
    = {"blood_pressure":"128/82 mmHg","pulse":71} | Blood pressure was 128/82 mmHg, pulse 71.
    ! {"blood_pressure":"128/82 mmHg","pulse":71} | Blood pressure was 138/82 mmHg, pulse 71.
    = Höchstgeschwindigkeit 130 km/h, Reichweite 420 km (WLTP) | Top speed is 130 km/h, range 420 km.
    ! Höchstgeschwindigkeit 130 km/h, Reichweite 420 km (WLTP) | Top speed is 130 km/h, range 420 miles.
    = {"upload_mbps": 48.5,"ping_ms": 12} | Upload 48.5 Mbit/s, ping 12 ms.
    ! {"upload_mbps": 48.5,"ping_ms": 12} | Upload 84.5 Mbit/s, ping 12 ms.
    = Ajouter 250 ml de lait et 3 œufs, cuire 40 minutes à 180 °C | Add 250 ml of milk and three eggs, bake 40 minutes at 180 °C.
    = {"file":{"size":"1.4 MB","lines":20318}} | The file is 1.4 MB with 20,318 lines.
    ! {"file":{"size":"1.4 MB","lines":20318}} | The file is 1.4 GB with 20,318 lines.
    = {"rain_mm": 4.2, "humidity": 81} | 4.2 mm of rain, humidity 81%.
    ! {"rain_mm": 4.2, "humidity": 81} | 4.2 cm of rain, humidity 81%.
    = max payload 750kg (incl. driver 75 kg) | The payload is at most 750 kg, including 75 kg for the driver.
    ! max payload 750kg (incl. driver 75 kg) | The payload is at most 0.57 t, including 75 kg for the driver.
    ! Dosis: 2 Tabletten à 500 mg, dreimal täglich | Take two tablets of 500 mg four times a day.
    = {"distance_km": 12.4, "duration_min": 38} | It is 12.4 km and takes about 38 minutes.
    ! {"distance_km": 12.4, "duration_min": 38} | It is 12.4 km and takes about 28 minutes.
    = {"weight_g": 2500} | The parcel weighs 2.5 kg.
    ! {"weight_g": 2500} | The parcel weighs 25 kg.
    = {"temp_c": -3.5, "wind_kph": 22} | It is -3.5 °C with 22 km/h wind.
    ! {"temp_c": -3.5, "wind_kph": 22} | It is 3.5 °C with 22 km/h wind.
    = Screen: 15.6" FHD, 16 GB RAM, 512 GB SSD | It has a 15.6-inch display, 16 GB of memory and a 512 GB SSD.
    ! Screen: 15.6" FHD, 16 GB RAM, 512 GB SSD | It has a 15.6-inch display, 32 GB of memory and a 512 GB SSD.
    = Take 400 mg every 8 hours, max 1.2 g per day | Nehmen Sie alle 8 Stunden 400 mg, höchstens 1,2 g pro Tag.
    ! Take 400 mg every 8 hours, max 1.2 g per day | Nehmen Sie alle 6 Stunden 400 mg, höchstens 1,2 g pro Tag.
    = {"disk_used_bytes": 53687091200} | The disk holds 50 GiB of data.
    = {"latency_ms": 1840} | The call took 1.84 s.
    ! {"latency_ms": 1840} | The call took 1.48 s.
    = Wohnfläche 84,5 m², 3 Zimmer, Baujahr 1974 | The flat has 84.5 m², 3 rooms and was built in 1974.
    ! Wohnfläche 84,5 m², 3 Zimmer, Baujahr 1974 | The flat has 84.5 m², 4 rooms and was built in 1974.
    = {"consumption_l_100km":"5.8"} | It uses 5.8 l/100 km.
    = Battery: 5000 mAh, charges at 67 W | The battery has 5,000 mAh and charges with 67 watts.
    ! Battery: 5000 mAh, charges at 67 W | The battery has 5,000 mAh and charges with 76 watts.
    = {"height":"1.83 m","weight":"79 kg"} | Mide 1,83 m y pesa 79 kg.
    ! {"height":"1.83 m","weight":"79 kg"} | Mide 1,38 m y pesa 79 kg.
    = Oven 180 °C, bake 25 min | Bake it for 25 minutes at 180 degrees.
    ! Oven 180 °C, bake 25 min | Bake it for 25 minutes at 200 degrees.
    = {"cpu":"2 vCPU","mem":"4 GiB","disk":"80 GB"} | The instance has 2 vCPUs, 4 GiB of RAM and an 80 GB disk.
    ! {"cpu":"2 vCPU","mem":"4 GiB","disk":"80 GB"} | The instance has 4 vCPUs.
    ! {"open_prs": 7, "age": "12 days"} | There are 12 PRs open.
    = Warranty: 24 months from purchase | You have a two-year warranty.
    ! Warranty: 24 months from purchase | Your three-year warranty is valid.
    = weight 2 kg | It weighs 2,000 g.
    = weight 2000 g | It weighs 2 kg.
    = {"weight": 2} | It weighs 2kg.
    = {"weight_kg": 2.5} | It weighs 2.5 kilograms.
    = 22°C | It is 22 degrees.
    = temp: -5 | It is –5 °C.
    = {"temp": -5} | It is −5°C.
    = {"temp": -5} | It is 5 degrees below zero.
    = 5 km | It is 5 kilometres away.
    = 5000 m | It is a 5 km walk.
    = 1.5 l | It holds 1500 ml.
    = 16GB | It has 16 GB of memory.
    = 16384 MB | It has 16,384MB.
    = 60 km/h | You may drive 60 km per hour.
    = 50 m² | The flat has 50 square meters.
    = {"area": 50} | The flat has 50 m².
    = 1.80 m | She is 1.8 m tall.
    = 6 ft 2 in | He is 6 feet 2 inches tall.
    = 10 x 20 cm | It is 10×20 cm.
    = 1920x1080 | The screen has 1920 x 1080 pixels.
    = {"width": 1920, "height": 1080} | The screen has 1920×1080 pixels.
    = 3.2 GHz | It runs at 3200 MHz.
    = ½ cup | Add 0.5 cups.
    = 1.5 cups | Add 1½ cups.
    = 6.02e23 | It is 6.02×10²³.
    = ５０ kg | It weighs 50 kg.
    = 50 | It weighs ５０ kg.
    = 120/80 | Your blood pressure is 120/80 mmHg.
    = 5 feet | It is 60 inches long.
    = three apples | You have 3 apples.
    = ٥٠ kg | It weighs 50 kg.
    ! weight 2 kg | It weighs 2 g.
    ! weight 2 kg | It weighs 2 lbs.
    ! {"weight_kg": 2} | It weighs 2 pounds.
    ! 22°C | It is 22°F.
    ! temp: -5 | It is 5 °C.
    ! temp: 5 | It is –5 °C.
    ! 5 km | It is 5 miles away.
    ! 5 km | It is 50 km away.
    ! 16GB | It has 16 MB of memory.
    ! 60 km/h | You may drive 60 mph.
    ! 50 m² | It is 50 m long.
    ! 1.80 m | She is 1.08 m tall.
    ! 10 x 20 cm | It is 20×10 cm.
    ! 10 x 20 cm | It is 10×20 m.
    ! 3.2 GHz | It runs at 320 MHz.
    ! ½ cup | Add 1½ cups.
    ! 6.02e23 | It is 6.02×10²².
    ! 120/80 | Your blood pressure is 120/90.
    ! 50 kg | It weighs ５１ kg.
    ! 7 kg | It weighs seven kg, or 7 g.
    = 72 km/h | 72 kilometers per hour
    = {"gewicht_kg": 2.5} | Es wiegt 2,5 kg.
    = -12 °C | minus 12 degrees Celsius
    ! 72 km/h | 72 mph
    ! 2.5 kg | 2.5 lb
    ! 500 mg | 500 g
    ! -12 °C | 12 °C
    ! 256 GB | 256 MB
    = 1200 | ١٢٠٠
    = 1200 | १२००
    = 1200 | １２００円
    = 三百 300 | 300
    ! 1200 | ١٢٠١
    ! 1200 | १२१०
    ! 1200 | １２１０円
    ! 500 | 五百一 501
    ! 100 | It costs five hundred dollars ($500).
    ! 42 | Ⅻ and 43
    ! 7 | ⑧ days
    ! 20 | It takes ²⁵ days
    ! {"n": 3} | ３½ hours
    ! 5 hours | 5 минут
    ! 5 hours | 5 minutos
    = 5 hours | 5 horas
    = 3 days | 3 Tage
    = 3 days | 3 giorni
    ! 3 days | 3 semaines
    ! 1500 Ft | Cost 1500 lei.
    = 1500 Ft | 1 500 HUF
    ! 1000 руб | It costs 1000 долларов.
    = 1000 RUB | 1 000 рублей
    = 48 hours | 2 dias
    ! 30 分钟 | 30 小时
    = 5 hours a day | 5 часов
    ! 12 meses | 12 años
    = 1 año | 12 meses
    ! 30 minutes | 30 小时
    ! 30 分钟 | 30 hours
    ! 30分钟 | 30小时
    ! 30 minutes | 30小时
    ! 30 minutes | 30 小时。
    = 30 minutes | 30分钟
    ! 5 hours | 6時間
    = 18:30 | 18時30分
    ! 18:30 | 18時31分
    ! 5 hours | 5分钟
    = {"height":"5'11\\""} | She is 5'11" tall.
    = He is 5'11" | He is 5 feet 11 inches tall.
    ! He is 5'11" | He is 6'1" tall.
    = net weight 2.5 kg | It weighs 2,500 g.
    ! net weight 2.5 kg | It weighs 2.5 lb.
    ! a marathon is 26.2 miles | A marathon is 26.2 km.
    = freezer at -18 °C | Keep it at minus 18 degrees Celsius.
    ! freezer at -18 °C | Keep it at 18 °C.
    = dimensions: 30 x 20 x 10 cm | The box is 30×20×10 cm.
    ! dimensions: 30 x 20 x 10 cm | The box is 30×20×15 cm.
    = add 1/2 cup of sugar | Add ½ cup of sugar.
    = {"ram_gb": 16} | It has 16 GB of RAM.
    = {"distance_m": 4200} | It is 4.2 km away.
    ! {"distance_m": 4200} | It is 42 km away.
    = screen: 6.1-inch OLED | The screen measures 6.1".
    ! screen: 6.1-inch OLED | The screen measures 6.7".
    = Temp: 72°F, humidity 40% | It is 72 degrees Fahrenheit with 40% humidity.
    = battery 5,000 mAh | The battery has 5000mAh.
    = 350 ml can | a can of 0.35 l
    ! 350 ml can | a can of 0.35 ml
    = wind NW 15 mph, gusts 28 mph | Winds of 15 mph with gusts up to 28 mph.
    ! dose: 20 mg twice daily | Take 20 g twice a day.
    = {"weight":{"value":750,"unit":"g"}} | It weighs 0.75 kg.
    ! {"weight":{"value":750,"unit":"g"}} | It weighs 0.75 g.
    = {"temp_c": 21.5} | It is 21.5 °C.
    ! {"temp_c": 21.5} | It is 21.5 °F.
    = Größe: 1,78 m | She is 178 cm tall.
    = file size 1.2 MB | a file of 1,200 KB
    ! file size 1.2 MB | a file of 1.2 GB
    = roof area 85 sqm | a roof of 85 m²
    = 4 ft 6 in wide | 4'6" wide
    = {"rpm": 3500} | at 3,500 rpm
    = 5'11 tall | He is 5 ft 11 in tall.
    ! 5'11 tall | He is 5'10" tall.
    ! 5'11" | He is 5 feet 1 inch tall.
    = screen size 27 inches | a 27" screen
    = 52°31'12" N | at 52°31'12"N
    = 6'2" | 6 ft 2 in
    = 27" monitor | 27-inch monitor
    ! 27" monitor | 32-inch monitor
    = 12 fl oz | 12 fluid ounces
    = 98.6°F | 98.6 F
    = 37.0 °C | 37 °C
    = 5.5 x 8.5 in | 5.5" × 8.5"
    = 1 TB | 1,000 GB
    = 2.4GHz | 2.4 GHz
    = 120 BPM | 120 beats per minute
    = 70 kg (154 lb) | 154 pounds
    = 3/4 inch | ¾"
    = 1.5e3 m | 1500 m
    = 10^6 | 1,000,000
    = 1.2 µm | 1.2 micrometers
    = 4 people, 2 rooms | 2 rooms for 4 people
    = 40 mg/dL | 40 mg/dL
    = 65 mph | 65 miles per hour
    = 9.8 m/s² | 9.8 m/s^2
    = 8 GiB | 8GiB
    = 1,013 hPa | 1013 mbar
    = scale 1:50 000 | 1:50,000
    = 5 stars | 5-star
    = 4.5★ | 4.5 stars
    = pH 7.4 | a pH of 7.4
    = 12V battery | 12-volt battery
    = 220–240 V | 220 to 240 volts
    = {"speed_kmh": 120} | 120 km/h
    ! {"speed_kmh": 120} | 120 mph
    = serves 4, 250 g flour | 250 grams of flour for 4
    = a 6 ft 1 in player | a 6'1" player
    ! 55" TV | 65" TV
    = {"area_sqm": 42.5} | 42.5 m²
    = {"reading_kwh": 18342.6} | The meter shows 18,342.6 kWh.
    ! {"reading_kwh": 18342.6} | The meter shows 18,342.6 MWh.
    ! The meter read 18,342.6 kWh. | The meter shows 18,342.6 GWh.
    = {"reading_kwh": 18342.6} | The meter shows 18.3426 MWh.
    = The array produced 11,250 kWh last year. | It generated 11.25 MWh.
    ! The array is rated 9.6 kWp. | The array is rated 9.6 MWp.
    = The battery has 5000 mAh. | The battery has 5 Ah.
    ! The battery has 5000 mAh. | The battery has 5000 Ah.
    = {"area_m2": 74} | The flat has 74 m².
    ! {"area_m2": 74} | The flat has 74 sq ft.
    ! {"area_sqm": 74} | The flat has 74 square feet.
    ! {"volume_m3": 74} | The tank holds 74 litres.
    = Memory limit 512Mi | The memory limit is 512 MiB.
    ! Memory limit 512Mi | The memory limit is 512 MB.
    ! 230 V | The supply has 230 kV.
    ! 50 Hz | The supply has 50 kHz.
    = 2 ⅓ cups | 2⅓ cups
    = 1 1/2 cups | 1 ½ cups
    = one and a half cups | 1 ½ cups
    ! 1 ½ cups | 2 ½ cups
    ! 1 ½ cups | ½ cup
    = {"speed_kmh":90} | 25 m/s
    = 10 m/s | 36 km/h
    = 60 mph | 96.56064 km/h
    = 20 knots | 37.04 km/h
    = wind 8 kn | wind of 8 knots
    = {"wind_speed_ms":10} | 36 km/h
    ! {"wind_speed_kmh":72} | 72 m/s
    ! {"wind_speed_kmh":72} | 20 km/h
    ! 20 m/s | 20 knots
    ! $500 per month | $6000 per year
    ! 12 GB per month | 12 GB per week
    = 5 Mbit/s | 5 Mbps
    ! 5 Mbit/s | 5 MB/s
    = 5 MB/s | 40 Mbps
    = 120 mg/5 ml | 24 mg/ml
    = 120 mg/5 ml | Each 5 ml holds 120 mg.
    = Amoxicillin 0.5 g every 8 hours with food | Take 500 mg of amoxicillin every 8 hours with food.
    ! Amoxicillin 0.5 g every 8 hours with food | Take 500 mg of amoxicillin every 6 hours with food.
    = 40 mm per 12 hours | It rains for 12 hours.
    ! 3/4 cup | It takes 4 cups.
    ! 120 mg/5 ml | Give 10 ml.
    ! 120 mg/5 ml | 120 mg/10 ml
    ! 120 mg/5 ml | 120 mg/ml
    = 6.5 l/100 km | 6.5 litres per 100 km
    ! 6.5 l/100 km | 6.5 litres per 10 km
    = 5 l/m² | 5 litres per square metre
    ! 5 l/m² | 5 litres per cubic metre
    = half an hour | 30 minutes
    = three quarters of an hour | 45 minutes
    = 2 dozen eggs | 24 eggs
    ! a dozen eggs | 10 eggs
    ! 150 hp | 150 kW
    ! 421 ppm | 421 ppb
    ? {"temp":"2█ °C"} | It is 21 °C.
    ! {"temp":"2█ °C"} | It is 31 °C.
    = {"wind_gust_kn":25} | Gusts of 25 knots are expected.
    ! {"wind_gust_kn":25} | Gusts of 35 knots are expected.
    = Paracetamol 120 mg/5 ml, give 10 ml | Give 10 ml of the 120 mg/5 mL suspension.
    ! Paracetamol 120 mg/5 ml | The suspension has 125 mg/5 ml.
    ! Paracetamol 120 mg/5 ml | The suspension has 120 mg/10 ml.
    = resolution: 1920x1080 | It has a resolution of 1920 × 1080.
    ! resolution: 1920x1080 | It has a resolution of 1920 × 1200.
    = display 6.1" | a 6.1-inch display
    ! display 6.1" | a 6.7-inch display
    = {"height_cm":180} | He is 1.80 m tall.
    = BP 120/80 mmHg | The blood pressure is 120/80.
    ! BP 120/80 mmHg | The blood pressure is 130/80.
    = {"drift":-0} | The drift is 0.
    = {"drift":0} | The drift is -0.0.
    = {"p_value":1.2e-5} | The p-value is 0.000012.
    = {"p_value":1.2e-5} | The p-value is 1.2 × 10⁻⁵.
    ! {"p_value":1.2e-5} | The p-value is 1.2 × 10⁻⁴.
    = 10^6 cells | 1 million cells
    ! 10^6 cells | 10^7 cells
    = CO2: 421 ppm | 421 parts per million
    ! CO2: 421 ppm | 412 ppm
    = pH 7.35 | a pH value of 7.35
    ! pH 7.35 | a pH value of 7.53
    = noise -60 dB | −60 dB
    ! noise -60 dB | 60 dB
    = 85 dB(A) | 85 dBA
    = serving size 30 g (12 servings) | 12 servings of 30 g each
    ! serving size 30 g (12 servings) | 15 servings of 30 g each
    = {"close":187.44,"change":-2.31} | It closed at 187.44, down 2.31.
    ! {"close":187.44,"change":-2.31} | It closed at 187.44, up 2.31.
    = UV index 7 | The UV index is 7.
    = {"temp_max":{"value":31,"unit":"C"}} | a high of 31 °C
    ! {"temp_max":{"value":31,"unit":"C"}} | a high of 31 °F
    = rain 5 l/m² | 5 litres per square metre of rain
    ! rain 5 l/m² | 15 litres per square metre of rain
    = 2 dozen eggs | 24 eggs
    = a dozen roses | 12 roses
    ! a dozen roses | 24 roses
    = 2⅓ cups | 2 1/3 cups
    = 1/4 tsp salt | ¼ teaspoon of salt
    ! 1/4 tsp salt | ¾ teaspoon of salt
    = n=1,024; mean 3.52 (SD 0.41) | 1024 people, mean 3.52 with a standard deviation of 0.41
    ! n=1,024; mean 3.52 (SD 0.41) | mean 3.52 with a standard deviation of 0.14
    = 9.58 s (world record) | 9.58 seconds
    = 4x100 m relay in 37.10 s | 37.10 s in the 4×100 m relay
    = aspect ratio 21:9 | 21:9
    = Amoxicillin 500 mg 3x/day for 7 days | 500 mg three times a day for 7 days
    ! Amoxicillin 500 mg 3x/day for 7 days | 500 mg four times a day for 7 days
    = engine 2.0L, 150 hp | a 2.0-litre engine with 150 horsepower
    ! engine 2.0L, 150 hp | a 2.0-litre engine with 150 kW
    = fuel 6.5 l/100km | 6.5 litres per 100 km
    ! fuel 6.5 l/100km | 5.6 litres per 100 km
    = 72 bpm | a heart rate of 72 beats per minute
    ! 72 bpm | a heart rate of 27 beats per minute
    = 1.5x faster | 1.5 times faster
    = 5 Mbit/s | 5 Mbps
    ! 5 Mbit/s | 5 MB/s
    = 250 kB/s | 0.25 MB/s
    = 3 out of 4 | three quarters (3/4)
    = -273.15 °C | minus 273.15 degrees Celsius
    = 5 kg ± 50 g | 5 kg, give or take 50 g
    = {"engine":{"torque_nm":320,"power_kw":110}} | The engine gives 320 Nm and 110 kW.
    = Zimmertemperatur 21,5 °C | The room is at 21.5 degrees Celsius.
    = {"length_mm":1850} | It is 1.85 m long.
    = Battery: 4,500 mAh | The battery holds 4.5 Ah.
    = {"speed_mps":12} | It moves at 12 m/s.
    = Blood pressure 128/82 mmHg | Your blood pressure is 128/82 mmHg.
    = {"area_sqm":74} | The flat has 74 m².
    = 3 tbsp sugar, 250 ml milk | Use three tablespoons of sugar and 0.25 l of milk.
    = Bandwidth 1 Gbit/s | The line has 1000 Mbit/s.
    = {"glucose_mg_dl":104} | Your glucose is 104 mg/dL.
    ! Tighten to 50 Nm | Tighten it to 50 N.
    ! {"engine":{"torque_nm":320}} | The engine gives 230 Nm.
    ! {"area_sqm":74} | The flat has 74 sq ft.
    ! Battery: 4,500 mAh | The battery holds 45 Ah.
    ! {"glucose_mg_dl":104} | Your glucose is 104 mmol/L.
    = {"weight_kg": 2.4} | The parcel weighs 2.4 kg.
    = Distance 12.5 km via A9 | It is 12,500 m away via the A9.
    = {"temp_c": -3} | It is −3 °C outside.
    = Cable length 1/2 in | The cable is 0.5 inches long.
    = Dose: 500 mg every 8 h | Take 500 mg every 8 hours.
    = {"disk_free_gb": 118} | There are 118 GB free.
    = Speed 27 m/s NW | The wind blows at 27 m/s from the north-west.
    = Leistung: 3,7 kW | It draws 3.7 kW.
    = {"area_m2": 86} | The flat has 86 square metres.
    = {"latency_ms": 340} | Latency is 0.34 s.
    = Height 6'2" | The height is 6 ft 2 in.
    = 電圧：１００Ｖ、50/60Hz | It takes 100 V at 50 or 60 Hz.
    = {"duration":"PT1H30M"} | It takes 1 hour 30 minutes.
    = {"battery_mah": 5000} | It has a 5,000 mAh battery.
    ! {"weight_kg": 2.4} | The parcel weighs 2.4 lb.
    ! {"temp_c": -3} | It is 3 °C outside.
    ! Dose: 500 mg every 8 h | Take 500 mg every 6 hours.
    ! Dose: 500 mg every 8 h | Take 500 µg every 8 hours.
    ! {"disk_free_gb": 118} | There are 118 TB free.
    ! {"duration":"PT1H30M"} | It takes 1 hour 13 minutes.
    = Länge: 2,50 m | Es ist 250 cm lang.
    = {"volumen_l":0.75} | La botella contiene 0,75 litros.
    = poids : 1 kg 200 | Il pèse 1,2 kg.
    = 身長 172.5cm | 身長は172.5センチです。
    = {"rpm":7200} | Die Platte dreht mit 7.200 U/min.
    = 40 lbs max | The limit is 40 pounds.
    = {"pressure":"1.013e5 Pa"} | The pressure is 101,300 Pa.
    = 3 ¾ cups flour | Use 3.75 cups of flour.
    = 2×10^6 cells/ml | There are 2 million cells per ml.
    = {"width":1920,"height":1080} | The image is 1920×1080 pixels.
    = Verbrauch 5,8 l/100 km | Der Verbrauch liegt bei 5,8 Litern auf 100 km.
    = {"temp_f": 72} | It is 72 °F.
    = {"elapsed_s": 7384} | It took 2 h 3 min 4 s.
    = dozen eggs: 12 | You need a dozen eggs (12).
    ! Länge: 2,50 m | Es ist 2,5 cm lang.
    ! {"volumen_l":0.75} | La botella contiene 0,75 ml.
    ! {"temp_f": 72} | It is 72 °C.
    ! poids : 1 kg 200 | Il pèse 12 kg.
    ! 3 ¾ cups flour | Use 3.25 cups of flour.
    ! 2×10^6 cells/ml | There are 2 billion cells per ml.
    ! {"elapsed_s": 7384} | It took 2 h 30 min 4 s.
    ! {"width":1920,"height":1080} | The image is 1920×1200 pixels.
    = {"cpu_temp":"71°C","fan":"2100 RPM"} | Die CPU hat 71 Grad Celsius, der Lüfter dreht mit 2100 U/min.
    = Rezept: 250 g Mehl, 3 EL Öl, ½ TL Salz | Man braucht 250 Gramm Mehl, 3 EL Öl und 0,5 TL Salz.
    = ram: 32GiB | It has 32 GiB of memory.
    = Reichweite 420 km (WLTP) | The range is 420 kilometres.
    = {"depth_m":-11.5} | The depth is −11.5 m.
    = temps de cuisson : 1h15 | Le temps de cuisson est d'une heure quinze, soit 75 minutes.
    = {"wind_kmh":36} | The wind blows at 10 m/s.
    = 面積は65㎡ | 面積は65平方メートルです。
    = Peso: 3/4 kg | Pesa 0,75 kg.
    = signal -67 dBm | The signal is at −67 dBm.
    = {"steps":12034,"distance_km":8.6} | You walked 12,034 steps, or 8.6 km.
    = 5 000 t CO₂ | Es sind 5.000 Tonnen CO₂.
    ! {"cpu_temp":"71°C","fan":"2100 RPM"} | Die CPU hat 71 °F.
    ! Rezept: 250 g Mehl | Man braucht 250 kg Mehl.
    ! ram: 32GiB | It has 32 MiB of memory.
    ! Reichweite 420 km (WLTP) | The range is 420 miles.
    ! temps de cuisson : 1h15 | Le temps de cuisson est de 115 minutes.
    ! {"wind_kmh":36} | The wind blows at 36 m/s.
    ! signal -67 dBm | The signal is at −76 dBm.
    ! 面積は65㎡ | 面積は56平方メートルです。
    ! {"steps":12034,"distance_km":8.6} | You walked 12,340 steps.
    = Packmaß 30×20×12 cm, Gewicht 1,85 kg | Packed it measures 30 x 20 x 12 cm and weighs 1.85 kg.
    = {"bandwidth":"100Mbit/s"} | The line has 100 Mbps.
    = Flughöhe 35.000 ft | The altitude is 35,000 feet.
    = {"pressure_hpa":1013} | The pressure is 1013 hPa.
    = 3 kilos et demi (3,5 kg) | Il pèse 3,5 kilos.
    = ATP 10 µmol/L | 10 µmol per litre
    = 体重は62キロ | 体重は62kgです。
    = 8 fl oz (237 ml) | It is 237 millilitres, or 8 fl oz.
    = {"screen":"15.6\\""} | The screen has 15.6 inches.
    = -40 °F = -40 °C | At −40 °F it is also −40 °C.
    = Tiefe: 1,2 Meter | 1.2 m deep
    = {"storage_tb":2} | There are 2,000 GB of storage.
    ! Packmaß 30×20×12 cm, Gewicht 1,85 kg | It weighs 1.58 kg.
    ! {"bandwidth":"100Mbit/s"} | The line has 100 MB/s.
    ! Flughöhe 35.000 ft | The altitude is 35,000 metres.
    ! ATP 10 µmol/L | 10 mmol per litre
    ! 体重は62キロ | 体重は62ポンドです。
    ! {"screen":"15.6\\""} | The screen has 15.6 cm.
    ! Tiefe: 1,2 Meter | 12 m deep
    ! {"storage_tb":2} | There are 200 GB of storage.
    ! 3 tablespoons | 3 teaspoons
    = {"blood_pressure":"128/82 mmHg","pulse":"71 bpm"} | BP 128/82 mmHg, pulse 71 beats per minute
    = Höhe ü. NN: 1.142 m | It lies 1,142 m above sea level.
    = torque 45 N·m | 45 Nm of torque
    = {"alcohol":"0,5 ‰"} | 0.5 per mille
    = Körpergröße 1 m 78 | 1.78 m tall
    = {"file_size":1536000,"unit":"bytes"} | The file has 1,536,000 bytes.
    = viscosity 4.5 mPa·s | 4.5 mPa·s
    = 9,81 m/s² | g = 9.81 m/s^2
    = grow light 600 W, 12 h/day | 600 watts, 12 hours a day
    = 2 Esslöffel (30 ml) | 30 ml, two tablespoons
    = 1.5e-3 mol/l | 0.0015 mol/l
    = 3 Liter pro Quadratmeter | 3 l/m²
    ! {"blood_pressure":"128/82 mmHg"} | BP 128/92 mmHg
    ! Höhe ü. NN: 1.142 m | It lies 1,142 ft above sea level.
    ! torque 45 N·m | 45 N of force
    ! {"alcohol":"0,5 ‰"} | 0.5 percent
    ! Körpergröße 1 m 78 | 1.87 m tall
    ! {"file_size":1536000,"unit":"bytes"} | The file has 1,536,000 kB.
    ! grow light 600 W, 12 h/day | 600 watts, 12 hours a week
    ! 1.5e-3 mol/l | 0.015 mol/l
    ! 3 Liter pro Quadratmeter | 3 l/m³
    ! 12 Zoll | 12 cm
    = Rucksack 45 l, 1,6 kg | The backpack holds 45 litres and weighs 1.6 kg.
    = fiebre de 38,5 °C | fever of 38.5 °C
    = Bildschirm 27 Zoll, 2560 x 1440 | 27-inch screen with 2560×1440
    = soil moisture 0.31 m3/m3 | 0.31 m³/m³
    = 15 nœuds | 15 knots
    = 1013,25 hPa | 1013.25 mbar
    = {"sleep":"7h 42m"} | You slept 7 hours and 42 minutes.
    = 25 mm of rain | 2.5 cm of rain
    = 3 cups (720 ml) | 720 millilitres
    = 10^-9 m | 1 nm
    = LDL 130 mg/dl | LDL is 130 mg/dL
    ! {"engine":"1.5 L","power":"110 kW"} | 1.5 litres, 110 PS
    ! Rucksack 45 l, 1,6 kg | The backpack holds 54 litres.
    ! fiebre de 38,5 °C | fever of 39.5 °C
    ! Bildschirm 27 Zoll, 2560 x 1440 | 24-inch screen
    ! 15 nœuds | 15 km/h
    ! {"sleep":"7h 42m"} | You slept 7 hours and 24 minutes.
    ! 25 mm of rain | 25 cm of rain
    ! LDL 130 mg/dl | LDL is 130 mg/l
    ! 5 oz | 5 lb
    = {"distance_km":12.4,"duration_min":18} | It is 12.4 km away, an 18-minute drive.
    = Temperature: 23°C, humidity 55%, wind 14 km/h | 23 °C with 55% humidity and 14 km/h wind
    = Package: 35 x 25 x 10 cm, 2.2 kg | 35 × 25 × 10 cm, 2.2 kilograms
    = 500 ml bottle | a half-litre bottle (500 ml)
    = memory usage 1.8 GiB of 4 GiB | 1.8 of 4 GiB
    = Take 2 tablets every 6 hours | Take two tablets every six hours.
    = {"height_cm":183,"weight_kg":78.5} | 1.83 m and 78.5 kg
    ! {"distance_km":12.4,"duration_min":18} | It is 12.4 miles away.
    ! {"distance_km":12.4,"duration_min":18} | It is an 80-minute drive.
    ! Temperature: 23°C, humidity 55%, wind 14 km/h | 32 °C
    ! Temperature: 23°C, humidity 55%, wind 14 km/h | 14 mph wind
    ! Package: 35 x 25 x 10 cm, 2.2 kg | 35 × 25 × 15 cm
    ! memory usage 1.8 GiB of 4 GiB | 1.8 MiB
    ! Take 2 tablets every 6 hours | Take 2 tablets every 8 hours.
    ! {"height_cm":183,"weight_kg":78.5} | 1.38 m
    = 2½ hours | 2.5 hours
    = 5 ft 9 in | 5'9"
    = 0.75 L | 750 ml
    = −12,5 °C | minus 12.5 °C
    = ±0.5 mm | plus or minus 0.5 mm
    = ~40 km | about 40 km
    = 1.2 × 10⁶ | 1,200,000
    = a dozen eggs | 12 eggs
    = 10 000 m² | 1 hectare
    = 60 mph | 60 miles per hour
    = 1,5 Liter | 1.5 l
    ! 2½ hours | 2.25 hours
    ! 5 ft 9 in | 5'11"
    ! 0.75 L | 75 ml
    ! −12,5 °C | 12.5 °C
    ! ~40 km | about 40 miles
    ! 1.2 × 10⁶ | 120,000
    ! a dozen eggs | 20 eggs
    ! 60 mph | 60 km/h
    ! 1,5 Liter | 15 l
    ! 300 kcal | 300 kJ
  `,
  percentages: `
    = {"nps":41,"promoters":"56%","detractors":"15%"} | The NPS is 41, with 56% promoters and 15% detractors.
    ! {"nps":41,"promoters":"56%","detractors":"15%"} | The NPS is 41, with 65% promoters and 15% detractors.
    = Skonto 2 % bei Zahlung binnen 10 Tagen | You get 2% off if you pay within 10 days.
    ! Skonto 2 % bei Zahlung binnen 10 Tagen | You get 3% off if you pay within 10 days.
    = {"win_rate":0.625,"games":16} | You won 62.5% of 16 games.
    ! {"win_rate":0.625,"games":16} | You won 65.2% of 16 games.
    = Le taux passe de 3,75 % à 3,5 % | The rate goes from 3.75% to 3.5%.
    ! Le taux passe de 3,75 % à 3,5 % | The rate goes from 3.75% to 3.25%.
    = packet loss 0.3 %, jitter 4.1 ms | Packet loss is 0.3% with 4.1 ms of jitter.
    ! packet loss 0.3 %, jitter 4.1 ms | Packet loss is 3% with 4.1 ms of jitter.
    = {"quota":{"used":7,"of":20}} | You used 7 of 20.
    ! {"quota":{"used":7,"of":20}} | You used 7 of 25.
    = Concentración del 70 % (v/v) | The concentration is 70%.
    ! Concentración del 70 % (v/v) | The concentration is 7%.
    = {"ctr":"1.8%","impressions":52300,"clicks":941} | 941 clicks of 52,300 impressions, a rate of 1.8%.
    ! {"ctr":"1.8%","impressions":52300,"clicks":941} | 941 clicks of 52,300 impressions, a rate of 2.8%.
    = Fettgehalt 3,5 %, Zucker 4,7 g je 100 ml | It has 3.5% fat and 4.7 g of sugar per 100 ml.
    ! Fettgehalt 3,5 %, Zucker 4,7 g je 100 ml | It has 3.5% fat and 7.4 g of sugar per 100 ml.
    = {"similarity":0.87} | The similarity is 87 %.
    ! {"similarity":0.87} | The similarity is 78 %.
    = Taux d'occupation : 92 % (+4 points) | Occupancy is 92%, up 4 points.
    ! Taux d'occupation : 92 % (+4 points) | Occupancy is 92%, up 14 points.
    = El 45 % respondió que sí y el 30 % que no | 45% said yes and 30% said no.
    ! El 45 % respondió que sí y el 30 % que no | 45% said yes, 30% no and 25% did not answer.
    = {"disk":{"used":"412G","size":"1.0T","use%":41}} | The disk is 41% full (412 GB of 1 TB).
    ! {"disk":{"used":"412G","size":"1.0T","use%":41}} | The disk is 14% full (412 GB of 1 TB).
    = {"open_rate":0.412,"click_rate":0.058} | 41.2% opened the mail and 5.8% clicked.
    ! {"open_rate":0.412,"click_rate":0.058} | 41.2% opened the mail and 8.5% clicked.
    = Alkohol 4,9 % vol | It has 4.9% alcohol.
    ! Alkohol 4,9 % vol | It has 9.4% alcohol.
    = inflation 2,3 % en mars contre 2,8 % en février | Inflation was 2.3% in March after 2.8% in February.
    ! inflation 2,3 % en mars contre 2,8 % en février | Inflation was 2.3% in March after 3.8% in February.
    = {"progress":"3/8 steps","percent":37.5} | 3 of 8 steps are done, that is 37.5%.
    ! {"progress":"3/8 steps","percent":37.5} | 5 of 8 steps are done, that is 37.5%.
    = Quote: 2 out of 3 customers renew (66.7%) | Two out of three customers renew.
    ! Quote: 2 out of 3 customers renew (66.7%) | Three out of four customers renew.
    = {"change":"-0.75%"} | The index lost 0.75%.
    ! {"change":"-0.75%"} | The index gained 0.75%.
    = humidity 55 % RH, setpoint 21.5 | The humidity is 55% with a setpoint of 21.5.
    ! humidity 55 % RH, setpoint 21.5 | The humidity is 55% with a setpoint of 22.5.
    = {"accuracy":0.9312,"f1":0.887} | Accuracy 93.12%, F1 0.887.
    ! {"accuracy":0.9312,"f1":0.887} | Accuracy 91.32%, F1 0.887.
    = Rabatt 10 % ab 5 Stück, 15 % ab 20 Stück | From 20 pieces on there is a 15% discount, 10% from 5 pieces.
    ! Rabatt 10 % ab 5 Stück, 15 % ab 20 Stück | From 20 pieces on there is a 20% discount, 10% from 5 pieces.
    = Vote: yes 62.4 %, no 37.6 % | 62.4 percent voted yes and 37.6 percent no.
    ! Vote: yes 62.4 %, no 37.6 % | 64.2 percent voted yes and 37.6 percent no.
    = {"battery":"83%","charging":true} | La batterie est à 83 %.
    ! {"battery":"83%","charging":true} | La batterie est à 38 %.
    = {"error_rate":0.0007} | The error rate is 0.07%.
    ! {"error_rate":0.0007} | The error rate is 0.7%.
    = unemployment 5.9 % (-0.2 pp) | Unemployment fell by 0.2 percentage points to 5.9%.
    ! unemployment 5.9 % (-0.2 pp) | Unemployment rose by 0.2 percentage points to 5.9%.
    = {"coverage":{"lines":87.5,"branches":79.25}} | Line coverage is 87.5%, branch coverage 79.25%.
    ! {"coverage":{"lines":87.5,"branches":79.25}} | Line coverage is 87.5%, branch coverage 92.75%.
    = El IVA es del 21 %, reducido 10 % | The VAT rate is 21%, reduced 10%.
    ! El IVA es del 21 %, reducido 10 % | The VAT rate is 21%, reduced 4%.
    = {"conversion":0.034} | The conversion rate is 3.4%.
    ! {"conversion":0.034} | The conversion rate is 34%.
    = {"uptime":"99.95 %"} | Uptime was 99.95% last month.
    ! {"uptime":"99.95 %"} | Uptime was 99.59% last month.
    = Churn fell from 5.1% to 4.2%. | Churn went down from 5.1 % to 4.2 %.
    ! Churn fell from 5.1% to 4.2%. | Churn went down from 5.1 % to 2.4 %.
    = Die Auslastung lag bei 87 Prozent. | Utilisation was 87%.
    ! Die Auslastung lag bei 87 Prozent. | Utilisation was 78%.
    = {"growth_yoy":"+12.5%"} | Le chiffre d'affaires a progressé de 12,5 %.
    ! {"growth_yoy":"+12.5%"} | Le chiffre d'affaires a reculé de -12,5 %.
    = {"apr":6.9} | The loan has an APR of 6.9 percent.
    ! {"apr":6.9} | The loan has an APR of 9.6 percent.
    = {"passed":47,"failed":3,"total":50} | 47 of 50 tests passed and 3 failed.
    ! {"passed":47,"failed":3,"total":50} | 48 of 50 tests passed and 3 failed.
    = {"rate": 0.45} | That is 45%.
    = rate 45 | That is 45 %.
    = 45% | That is 45 percent.
    = 45 percent | That is 0.45.
    = +12% | It rose by 12%.
    = change: -12% | It fell by 12%.
    = {"change": -0.12} | Sales dropped 12%.
    = 25 bps | It rose by 0.25%.
    = half a percent: 0.5% | It is 0.5%.
    = 99,9 % | It is up 99.9% of the time.
    = 3 percentage points | It rose 3 pp.
    = {"share": 0.125} | It is 12.5%.
    = 20% discount | A change of –20%.
    = ±5% | It is within 5%.
    = 100% | All of it: 100 %.
    ! {"rate": 0.45} | That is 54%.
    ! 45% | That is 4.5%.
    ! change: -12% | It is +12%.
    ! +12% | It is -12%.
    ! 45 kg | That is 45%.
    ! 3 percentage points | It rose 3%.
    ! 25 bps | It rose by 25%.
    ! 99.9% | It is up 99.99% of the time.
    ! 0.45% | That is 45%.
    ! {"share": 0.125} | It is 12%.
    ! 10-15% | It is 10–20%.
    ! 5‰ | It is 5%.
    = 0.075 | 7.5 %
    = 12,5 % | 12.5%
    = fell 3 % | −3 %
    ! 12.5% | 12.5 percentage points and 21.5 %
    ! 0.075 | 75 %
    ! rose 3 % | fell by 3.1 %
    = {"rate": 0.0725} | The rate is 7.25%.
    ! {"rate": 0.0725} | The rate is 72.5%.
    = APR 7.25% | The APR is 7.25 percent.
    ! APR 7.25% | The APR is 7.5%.
    = revenue growth −3.1 % | Revenue fell by 3.1%.
    ! revenue growth 12% | Revenue grew by 1.2%.
    = uptime: 99.95% | Uptime was 99.95 %.
    ! uptime: 99.95% | Uptime was 99.99%.
    = {"discount_pct": 15} | You get 15% off.
    ! {"discount_pct": 15} | You get 50% off.
    = hiked by 25 bps | The rate rose 25 basis points.
    = 40–60% of users | Between 40% and 60% of users do.
    = {"win_rate": 0.6154} | It wins 61.54% of the time.
    ! {"win_rate": 0.6154} | It wins 65.14% of the time.
    = inflation 2.4 % y/y | Inflation is 2.4%.
    = turnout was 66.6 percent | Turnout was 66.6%.
    ! turnout was 66.6 percent | Turnout was 66.9%.
    = {"change":"-0.8%"} | It is down 0.8 percent.
    ! {"change":"+0.8%"} | It is down 0.8 percent.
    = margin of error ±3% | within plus or minus 3%
    = VAT 20% included | It includes 20 % VAT.
    ! 5-10% of cases | in 5–15% of cases
    = {"progress": 0.3} | It is 30% done.
    ! {"progress": 0.3} | It is 3% done.
    = sales up 14% on last year | Sales rose by 14%.
    ! sales up 14% on last year | Sales fell by 14%.
    = interest: 4 3/4 % | 4.75%
    = Anteil: 33,3 % | a share of 33.3%
    ! 2% cashback | 20% cashback
    = {"csat": "92 %"} | a satisfaction of 92 percent
    = raised from 15% to 18% | from 15 to 18 percent
    ! raised from 15% to 18% | from 15 to 28 percent
    = 5 out of 100 | 5/100
    = 0.5 | 50%
    = {"confidence": 0.873} | 87.3% confidence
    ! {"confidence": 0.873} | 87% confidence
    = 1 in 4 | 1-in-4
    = +2.5pp | 2.5 percentage points
    = 100% | 100 percent
    = 12.0% | 12%
    = tax 19 v.H. | 19%
    = {"change_pct": -4.2} | down 4.2%
    ! {"change_pct": -4.2} | up 4.2%
    = ‑7 % | minus 7 percent
    = 0,5 % | 0.5%
    = {"churn":"3.4 %","prev":"4.1 %"} | from 4.1% to 3.4%
    ! {"churn":"3.4 %","prev":"4.1 %"} | from 4.1% to 4.3%
    = growth of +18% | it grew 18%
    ! growth of +18% | it shrank 18%
    = 25 Basispunkte | 25 basis points
    = hausse de 50 points de base | a rise of 0.5 percentage points
    = un 5 por ciento | 5%
    = 3 Prozentpunkte | 3 percentage points
    ! 25 Basispunkte | 25 percentage points
    ! 3 Prozentpunkte | 3 percent
    = A quarter of the users left. | 25% of the users left.
    = Three quarters of users agree | 75% of users agree
    = Die Hälfte der Befragten stimmte zu. | 50% of the respondents agreed.
    = la moitié des clients | 50% of customers
    ! A quarter of the users left. | 50% of the users left.
    ! Exactly half of the respondents agreed. | 50 respondents agreed.
    ! two thirds of users | 60% of users
    ! the first quarter of 2024 | 25% of them
    ! the first half of 2024 | 50% of them
    ! {"share_pct":20} | It is thirty percent.
    ? {"rate":"4█%"} | It is 43%.
    = Umidade: 72% | humidity 72 percent
    = P/E 28.3, div yield 0.5% | a P/E of 28.3 and a yield of 0.5%
    = 0.9% NaCl | 0.9 percent saline
    = Ki 67 20% | Ki-67 of 20%
    = {"turnout":0.683} | Turnout was 68.3%.
    = Wahlbeteiligung 71,4 Prozent | Turnout was 71.4%.
    = {"ctr":"2.07%"} | The click-through rate is 2.07 percent.
    = Half of the seats (50%) are free | 50 percent of the seats are free.
    = {"battery_level":87,"unit":"percent"} | The battery is at 87%.
    = spread widened by 25 basis points | The spread widened by 0.25 percentage points.
    = {"alcohol_by_volume_pct":5.2} | It has 5.2% alcohol.
    = margin: 18 % → 21 % | The margin rose from 18% to 21%.
    = {"humidity":"55 %RH"} | Humidity is 55%.
    ! {"turnout":0.683} | Turnout was 63.8%.
    ! {"battery_level":87,"unit":"percent"} | The battery is at 78%.
    ! margin: 18 % → 21 % | The margin rose from 18% to 22%.
    ! Returns fell by 4 % | Returns grew by 4 %.
    ! {"ctr":"2.07%"} | The click-through rate is 20.7 percent.
    = {"conversion_rate": "3.2%"} | The conversion rate is 3.2 percent.
    = Uptime 99.95 % | Uptime was 99.95%.
    = {"change_pct": -7.5} | It fell by 7.5% (−7.5%).
    = Rate cut by 25 basis points | The rate was cut by 0.25 percentage points.
    = {"share": 0.42} | The share is 42%.
    = Die Quote stieg um 1,8 Prozentpunkte. | The quota rose by 1.8 percentage points.
    = VAT 19% (reduced 7%) | VAT is 19 %, or 7 % at the reduced rate.
    = {"discount":"15 % off"} | You get 15% off.
    = Un tercio (33,3 %) de los votos | 33.3% of the votes.
    = {"growth":"+12%"} | Growth was 12%.
    = {"error_rate":"0.5‰"} | The error rate is 0.05%.
    = 4 of 5 dentists | 4 out of 5 dentists agree.
    ! {"conversion_rate": "3.2%"} | The conversion rate is 2.3%.
    ! {"change_pct": -7.5} | It rose by 7.5%.
    ! Rate cut by 25 basis points | The rate was cut by 25 percentage points.
    ! Die Quote stieg um 1,8 Prozentpunkte. | The quota rose by 1.8%.
    ! {"share": 0.42} | The share is 0.42%.
    ! VAT 19% | VAT is 16%.
    ! {"discount":"15 % off"} | You get $15 off.
    ! 4 of 5 dentists | 4 out of 6 dentists agree.
    = Anteil: 12,5 % | Der Anteil beträgt 12,5 Prozent.
    = {"tasa":"4,75 % TIN"} | El tipo es del 4,75 por ciento.
    = 前年比１２％増 | 前年比12%の増加です。
    = Hausse de 3 % | Une hausse de trois pour cent.
    = -0.3pp vs last month | It fell by 0.3 percentage points (−0.3 pp).
    = half of the users (50%) | 50 percent of the users, i.e. half.
    = APR 19.99% variable | The APR is 19.99 %.
    = {"p95_cpu":"87%"} | Die CPU lag bei 87 %.
    ! Anteil: 12,5 % | Der Anteil beträgt 12,5 Promille.
    ! 前年比１２％増 | 前年比12%の減少です（-12%）。
    ! -0.3pp vs last month | It rose by 0.3 percentage points.
    ! {"tasa":"4,75 % TIN"} | El tipo es del 4,57 %.
    ! Hausse de 3 % | Une hausse de treize pour cent.
    ! APR 19.99% variable | The APR is 19.99 per month.
    = {"pass_rate":0.875} | 87.5% of the tests passed.
    = Steuersatz ermäßigt: 7 v. H. (7 %) | Der ermäßigte Satz beträgt 7 Prozent.
    = churn 2,4 % (Vorjahr 3,1 %) | Churn fell from 3.1% to 2.4%.
    = {"humidity":64,"unit":"%"} | La humedad es del 64 %.
    = 9 out of 10 users | Nine of ten users, i.e. 90%.
    = Zinssatz 3,75 % p. a. | The interest rate is 3.75% per year.
    = {"battery":"15%"} | バッテリーは15%です。
    = increase of 150 bps | It rose by 1.5 percentage points.
    ! {"pass_rate":0.875} | 78.5% of the tests passed.
    ! churn 2,4 % | Churn is 24%.
    ! {"humidity":64,"unit":"%"} | La humedad es del 46 %.
    ! Zinssatz 3,75 % p. a. | The interest rate is 3.75% per month.
    ! {"battery":"15%"} | バッテリーは残り15分です。
    ! increase of 150 bps | It rose by 15 percentage points.
    ! {"growth_pct": 4.2} | Growth was 4.2 million.
    = Wahlbeteiligung 76,6 Prozent | Turnout was 76.6%.
    = {"discount_rate":0.1} | You get a 10% discount.
    = 1 in 4 adults | One in four adults (25%).
    = Erfolgsquote: 98 von 100 | 98 out of 100 succeeded.
    = EBIT-Marge 11,2 % | The EBIT margin is 11.2 percent.
    = {"delta_pp":"+0.4"} | It rose by 0.4 percentage points.
    = 二割引 | 20%引きです。
    ! Wahlbeteiligung 76,6 Prozent | Turnout was 67.6%.
    ! {"discount_rate":0.1} | You get a 1% discount.
    ! 1 in 4 adults | One in five adults (20%).
    ! Erfolgsquote: 98 von 100 | 89 out of 100 succeeded.
    ! EBIT-Marge 11,2 % | The EBIT margin is 11.2 points.
    ! {"delta_pct":"+0.4"} | It fell by 0.4 percent.
    = sensitivity 0.93, specificity 0.88 | Sensitivity is 93 %, specificity 88 %.
    = Marktanteil sank um 2 Prozentpunkte auf 31 % | It fell by 2 percentage points to 31%.
    = {"tip":"18%","tip_amount":"$9.00"} | An 18% tip is $9.00.
    = three quarters of respondents | 75% of respondents
    = 0,8 Prozent Skonto | 0.8% cash discount
    = Hit rate: 17/20 | 85%, or 17 of 20
    ! sensitivity 0.93, specificity 0.88 | Sensitivity is 39 %.
    ! Marktanteil sank um 2 Prozentpunkte auf 31 % | It fell by 2% to 31%.
    ! {"tip":"18%","tip_amount":"$9.00"} | An 8% tip is $9.00.
    ! three quarters of respondents | 25% of respondents
    ! 0,8 Prozent Skonto | 8% cash discount
    ! Hit rate: 17/20 | 87%
    ! 5% discount | $5 discount
    ! 40 % Auslastung | 40 Auslastungspunkte und 60 Kunden
    = Rendite p.a.: 4,1 % | a yield of 4.1% per year
    = {"cpu":{"user":0.62,"sys":0.11}} | 62% user, 11% system
    = 70/30 split | a 70/30 split
    = one third of voters | a third of the voters (1/3)
    = Zunahme um 0,25 Prozentpunkte | up 0.25 percentage points
    = margen del 12 al 15 % | a margin of 12–15%
    ! Rendite p.a.: 4,1 % | a yield of 1.4% per year
    ! {"cpu":{"user":0.62,"sys":0.11}} | 62% user, 1.1% system
    ! 70/30 split | a 60/40 split
    ! margen del 12 al 15 % | a margin of 12–25%
    ! Zunahme um 0,25 Prozentpunkte | down 0.25 percentage points
    ! 99.9 % uptime | 99.99 % uptime
    ! one third of voters | two thirds of the voters
    = {"satisfaction":"92%","responses":418} | 92% of 418 respondents are satisfied.
    = Battery 37% | The battery is at 37 percent.
    = {"interest_rate":0.0525} | The interest rate is 5.25%.
    = unemployment fell from 6.1% to 5.8% | It dropped from 6.1% to 5.8%.
    = up 14% year over year | a 14% increase year over year
    ! {"satisfaction":"92%","responses":418} | 29% are satisfied.
    ! {"interest_rate":0.0525} | The interest rate is 52.5%.
    ! unemployment fell from 6.1% to 5.8% | It dropped to 5.3%.
    ! up 14% year over year | a 14% decrease year over year
    ! Battery 37% | 37 minutes of battery
    = 12½ % | 12.5%
    = three percent | 3%
    = −4,2 % | down 4.2%
    = 0.07 | 7%
    = 1/4 of sales | 25% of sales
    = fifty per cent | 50 %
    ! 12½ % | 12.25%
    ! three percent | 30%
    ! −4,2 % | up 4.2%
    ! 0.07 | 70%
    ! 1/4 of sales | 40% of sales
    ! 3% points | 3%
  `,
  phones: `
    = {"support":"+31 (0)20 123 4567","hours":"9-17"} | Call +31 20 1234567 between 9 and 17.
    ! {"support":"+31 (0)20 123 4567","hours":"9-17"} | Call +31 20 1234576 between 9 and 17.
    = Tel. 06151-99-0, Fax -199 | Die Nummer ist 06151 99-0.
    ! Tel. 06151-99-0, Fax -199 | Die Nummer ist 06151 98-0.
    = call 311 (non-emergency) or 911 | For non-emergencies call 311, otherwise 911.
    ! call 311 (non-emergency) or 911 | For non-emergencies call 211, otherwise 911.
    = Móvil: 654 321 098 | Su móvil es el 654321098.
    ! Móvil: 654 321 098 | Su móvil es el 654321089.
    = Notruf-Hotline 0180 5 123456 (14 ct/min) | The hotline is 0180 5123456 at 14 cents a minute.
    ! Notruf-Hotline 0180 5 123456 (14 ct/min) | The hotline is 0180 5123465 at 14 cents a minute.
    = {"from":"+41791234567"} | Die Nachricht kam von +41 79 123 45 67.
    ! {"from":"+41791234567"} | Die Nachricht kam von +41 79 123 54 67.
    = Poison Control: 1-800-222-1222 | Call Poison Control at 1-800-222-1222.
    ! Poison Control: 1-800-222-1222 | Call Poison Control at 1-800-222-2122.
    = numéro vert 0 805 123 456 | The free number is 0805 123 456.
    ! numéro vert 0 805 123 456 | The free number is 0805 123 465.
    = {"contacts":[{"name":"Ana","tel":"+351 912 345 678"}]} | Ana's number is +351 912345678.
    ! {"contacts":[{"name":"Ana","tel":"+351 912 345 678"}]} | Ana's number is +351 912345687.
    = Zentrale 089 / 12345-0, Durchwahl -217 | Die Zentrale erreichen Sie unter 089 12345-0.
    ! Zentrale 089 / 12345-0, Durchwahl -217 | Die Zentrale erreichen Sie unter 089 12354-0.
    = text HELP to 22395 | Text HELP to 22395.
    ! text HELP to 22395 | Text HELP to 22359.
    = {"whatsapp":"+1 (415) 555-2671"} | Write on WhatsApp to +14155552671.
    ! {"whatsapp":"+1 (415) 555-2671"} | Write on WhatsApp to +14155552761.
    = Servicenummer: 0800 330 1000 (kostenlos) | Rufen Sie kostenlos 0800 3301000 an.
    ! Servicenummer: 0800 330 1000 (kostenlos) | Rufen Sie kostenlos 0800 3301001 an.
    = (555) 013-7788 ext. 42 | Call (555) 013-7788, extension 42.
    ! (555) 013-7788 ext. 42 | Call (555) 013-7788, extension 24.
    = {"phone":"0033 1 44 55 66 77"} | Son numéro est le +33 1 44 55 66 77.
    ! {"phone":"0033 1 44 55 66 77"} | Son numéro est le +33 1 44 55 67 77.
    = Teléfono 91 555 23 14 | El teléfono es 915 552 314.
    ! Teléfono 91 555 23 14 | El teléfono es 915 552 341.
    = {"phone":"+49 30 901820"} | You reach us at +49 (0)30 901820.
    ! {"phone":"+49 30 901820"} | You reach us at +49 (0)30 901280.
    = {"hotline":"1-800-555-0199"} | Call 1 (800) 555-0199.
    ! {"hotline":"1-800-555-0199"} | Call 1 (800) 555-0119.
    = Tél. : 01 42 68 53 00 | Appelez le 01.42.68.53.00.
    ! Tél. : 01 42 68 53 00 | Appelez le 01 42 86 53 00.
    = {"mobile":"+34600123456"} | Le llamaremos al +34 600 12 34 56.
    ! {"mobile":"+34600123456"} | Le llamaremos al +34 600 12 43 56.
    = Emergency: dial 112, poison control 0228 19240 | In an emergency dial 112; poison control is 0228-19240.
    ! Emergency: dial 112, poison control 0228 19240 | In an emergency dial 110; poison control is 0228-19240.
    = {"ext":"4417"} | Ask for extension 4417.
    = +1 555 123 4567 | Call (555) 123-4567.
    = (555) 123-4567 | Call 555-123-4567.
    = {"phone": "5551234567"} | Call 555.123.4567.
    = {"phone": "+15551234567"} | Call +1 (555) 123-4567.
    = 030 1234567 | Call +49 30 1234567.
    = +49 (0)30 1234567 | Call 030 1234567.
    = 0049 30 1234567 | Call +49 30 1234567.
    = 06 12 34 56 78 | Call 0612345678.
    = 020 7946 0958 | Call +44 20 7946 0958.
    = 1-800-555-0199 | Call 1 800 555 0199.
    = 555-0123 | Call 555-0123.
    = 07700 900123 | Call 07700 900 123.
    = tel:+15551234567 | Call +1-555-123-4567.
    = 112 | In an emergency, call 112.
    ! +1 555 123 4567 | Call (555) 123-4568.
    ! (555) 123-4567 | Call 555-132-4567.
    ! {"phone": "5551234567"} | Call 555.123.4576.
    ! 030 1234567 | Call +49 40 1234567.
    ! 06 12 34 56 78 | Call 06 12 34 56 79.
    ! 020 7946 0958 | Call 020 7946 0959.
    ! 1-800-555-0199 | Call 1-888-555-0199.
    ! 555-0123 | Call 555-0124.
    ! 112 | In an emergency, call 911.
    ! +49 30 1234567 | Call +43 30 1234567.
    ! 07700 900123 | Call 07700 900124.
    = +49 30 901820 | 030 901820
    = (415) 555-0132 | +1 415-555-0132
    ! +49 30 901820 | +49 30 901802
    ! 555-0132 | 555-0123
    = {"phone":"+14155550123"} | Call (415) 555-0123.
    = +1 415-555-0123 | Call 415.555.0123.
    ! +1 415-555-0123 | Call 415-555-0132.
    = +44 20 7946 0958 | From London, dial 020 7946 0958.
    ! +44 20 7946 0958 | From London, dial 020 7946 0985.
    = tel: 0800 123 4567 | Call 0800-1234567.
    = +49 (0)30 901820 | Call +49 30 901820.
    ! +49 (0)30 901820 | Call +49 30 910820.
    = 1-800-273-8255 | Call 1 (800) 273-8255.
    = 555-0100 ext. 42 | Call 555-0100, extension 42.
    ! 555-0100 ext. 42 | Call 555-0100, extension 24.
    ! +33 1 42 68 53 00 | Call +33 1 42 68 53 01.
    = Hotline: +41 44 668 18 00 | Call +41446681800.
    ! Hotline: +41 44 668 18 00 | Call +41446681801.
    = {"contact":{"phone":"212-555-0187"}} | You can reach them at (212) 555-0187.
    ! {"contact":{"phone":"212-555-0187"}} | You can reach them at (212) 555-0178.
    = 01 70 36 39 50 | Appelez le 01.70.36.39.50.
    = +86 10 6552 9988 | Dial +86-10-65529988.
    ! +86 10 6552 9988 | Dial +86-10-65529989.
    = tel:+34-912-345-678 | Llame al 912 345 678.
    = 1800 123 456 (toll-free) | Call 1800-123-456.
    ! emergency: 112 | Call 999.
    = +34 600 123 456 | +34600123456
    ! +34 600 123 456 | +34 600 123 465
    = Fax: (089) 1234-567 | 089 1234567
    = {"phone":"+91 98765 43210"} | 98765 43210
    ! {"phone":"+91 98765 43210"} | 98765 43211
    = 0203 555 0142 | +44 203 555 0142
    = 1.888.555.0110 | 1-888-555-0110
    = Helpline 116 123 | call 116 123
    = +1 (646) 555-0134 | 646-555-0134
    ! 555-0134 | 555-0143
    = (020) 7946 0958 | 020 7946 0958
    = +1 (800) 555-0199 x123 | 1-800-555-0199 ext 123
    = 1300 655 506 | 1300 655 506
    = +61 2 9374 4000 | (02) 9374 4000
    = 13 10 50 | 131050
    = 555 0100 | 555-0100
    = +81-3-1234-5678 | 03-1234-5678
    = (0)89 / 12 34 56 | 089 123456
    = +4989123456 | 089 / 123456
    = whatsapp: +5511987654321 | +55 (11) 98765-4321
    = 999 | call 999
    ! 0800 111 222 | 0800 111 333
    = 1-800-FLOWERS | 1-800-FLOWERS
    = +47 22 85 50 50 | 22 85 50 50
    ! +47 22 85 50 50 | 22 85 50 55
    = (03) 9876 5432 | +61 3 9876 5432
    = {"mobile":"07911123456"} | 07911 123456
    ? {"phone":"+39 06 69█2 0012"} | Call +39 06 6982 0012.
    ! {"phone":"+39 06 69█2 0012"} | Call +39 06 6972 0013.
    ? {"phone":"030 1234567"} | Call 030 12▒4567.
    = Tel +49 (0)89 2180-0 | Call +49 89 21800.
    = {"phone":"0800 123 4567"} | The free number is 0800-1234567.
    = {"call":"+33145678901"} | Ring +33 1 45 67 89 01.
    = Emergency: dial 112 | In an emergency dial 112.
    = ext. 4471 | Ask for extension 4471.
    = Fax: 020 7946 0018 | Send a fax to 020-7946-0018.
    = {"contact":{"country_code":"+1","number":"2025550143"}} | Call +1 202-555-0143.
    = Tel. 044/668 18 00 | The number is 044 668 18 00.
    = SMS to 55512 | Text to 55512.
    = 電話 06-6345-1234 | Call 06-6345-1234.
    ! Emergency: dial 112 | In an emergency dial 911.
    ! Tel +49 (0)89 2180-0 | Call +49 89 21801.
    ! {"phone":"0800 123 4567"} | The free number is 0800 123 4576.
    ! ext. 4471 | Ask for extension 4417.
    ! {"call":"+33145678901"} | Ring +34 1 45 67 89 01.
    = {"phone":"+1 (415) 555-0132"} | Call +1 415-555-0132.
    = Tel. 030 / 901820 | Call 030 901820.
    = {"hotline":"+49 30 901820"} | The hotline is 030 901820 or +49 30 901820.
    = Support: 0800 123 4567 (free) | Call 0800 1234567 for free.
    = ☎ 03-1234-5678 | The number is 03-1234-5678.
    = {"mobile":"+44 7700 900123","ext":204} | Call +44 7700 900123, extension 204.
    = 1-800-FLOWERS ext. 12 | Call 1-800-FLOWERS, ext. 12.
    = {"tel":"+33123456789"} | Call +33 1 23 45 67 89.
    = Emergency: 112 | In an emergency, dial 112.
    = fax +41 44 668 18 00 | The fax number is +41 44 668 18 00.
    = {"sms":"72727"} | Text STOP to 72727.
    = (0)20 7946 0958 | Call 020 7946 0958.
    ! {"phone":"+1 (415) 555-0132"} | Call +1 (415) 555-0123.
    ! Tel. 030 / 901820 | Call 030 / 901280.
    ! {"hotline":"+49 30 901820"} | The hotline is +43 30 901820.
    ! Support: 0800 123 4567 (free) | Call 0800 123 456.
    ! {"mobile":"+44 7700 900123","ext":204} | Call +44 7700 900123, extension 240.
    ! {"tel":"+33123456789"} | Call +33 1 23 45 67 98.
    ! Emergency: 112 | In an emergency, dial 911.
    ! {"sms":"72727"} | Text STOP to 27272.
    = Tel.: 089/12 34 56-0 | Die Nummer ist 089 123456-0.
    = Teléfono: 91 123 45 67 | Llame al 911234567.
    = Tél : 01.23.45.67.89 | Appelez le 01 23 45 67 89.
    = 電話：０３－１２３４－５６７８ | 電話番号は03-1234-5678です。
    = {"tel":"0041791234567"} | Rufen Sie +41 79 123 45 67 an.
    ! Tel.: 089/12 34 56-0 | Die Nummer ist 089 123465-0.
    ! Tél : 01.23.45.67.89 | Appelez le 02 23 45 67 89.
    ! 電話：０３－１２３４－５６７８ | 電話番号は03-1243-5678です。
    ! Teléfono: 91 123 45 67 | Llame al 91 123 45 76.
    = Hotline +43 1 588 30-0 | Die Hotline ist +43 1 58830 0.
    = {"phone_number":"5551234567"} | Call (555) 123-4567.
    = Whatsapp: +55 11 91234-5678 | O WhatsApp é +55 (11) 91234-5678.
    = TEL 06-6123-4567 | 電話は06-6123-4567です。
    = ext. 4410 | Dial extension 4410.
    = 1300 975 707 | The number is 1300 975 707.
    ! Hotline +43 1 588 30-0 | Die Hotline ist +43 1 588 03-0.
    ! {"phone_number":"5551234567"} | Call (555) 123-4576.
    ! Whatsapp: +55 11 91234-5678 | O WhatsApp é +55 (21) 91234-5678.
    ! 1300 975 707 | The number is 1300 957 707.
    ! ext. 4410 | Dial extension 4401.
    = {"contact":{"tel":"+34 912 345 678","fax":"+34 912 345 679"}} | Tel. 912 345 678, fax 912 345 679.
    = Notruf 110 / Feuerwehr 112 | Polizei 110, Feuerwehr 112
    = +1-800-555-0199 x23 | 1-800-555-0199 ext. 23
    = 0176 12345678 | +49 176 12345678
    = 023-4567890 | 023 456 7890
    ! {"contact":{"tel":"+34 912 345 678"}} | Tel. 912 345 687
    ! Notruf 110 / Feuerwehr 112 | Polizei 117
    ! 0176 12345678 | +49 177 12345678
    ! 023-4567890 | 024 456 7890
    = {"phones":["(02) 9374 4000","1800 123 456"]} | Call (02) 9374 4000 or 1800 123 456.
    = Zentrale: 0711/2 16-0 | 0711 216-0
    = +7 (495) 123-45-67 | +7 495 123-45-67
    = 内線 204 | extension 204
    ! {"phones":["(02) 9374 4000"]} | Call (02) 9374 4400.
    ! Zentrale: 0711/2 16-0 | 0711 261-0
    ! +7 (495) 123-45-67 | +7 499 123-45-67
    ! 内線 204 | extension 205
    = Kundendienst 0848 000 111 (CHF 0.08/Min.) | Call 0848 000 111 at CHF 0.08 per minute.
    = {"tel":"+81-3-1234-5678"} | 03-1234-5678
    = Tel +351 21 123 4567 | +351 211 234 567
    = call 311 | dial 311
    = 1-888-452-1505 | (888) 452-1505
    ! Kundendienst 0848 000 111 | Call 0848 000 112.
    ! {"tel":"+81-3-1234-5678"} | 06-1234-5678
    ! Tel +351 21 123 4567 | +351 21 123 4576
    ! call 311 | dial 411
    ! 1-888-452-1505 | (888) 452-1550
    = Customer service: 1-800-275-2273 | Call 1-800-275-2273.
    = {"phone":"+61 2 9374 4000"} | +61 2 9374 4000
    = Telefon 0221 / 99 88 77-0 | 0221 998877-0
    = {"tel":"(212) 555-0187"} | 212-555-0187
    ! Customer service: 1-800-275-2273 | Call 1-800-275-2237.
    ! {"phone":"+61 2 9374 4000"} | +61 2 9374 4001
    ! {"tel":"(212) 555-0187"} | 213-555-0187
    = +1 212 555 0100 | (212) 555-0100
    = ０１２０－４４４－４４４ | 0120-444-444
    = 020 7946 0018 | +44 20 7946 0018
    ! +1 212 555 0100 | (212) 555-0010
    ! ０１２０－４４４－４４４ | 0120-444-445
    ! 020 7946 0018 | +44 20 7946 0081
  `,
  times: `
    = {"bus":[{"line":"M4","in_min":3},{"line":"M10","in_min":11}]} | The M4 comes in 3 minutes, the M10 in 11.
    ! {"bus":[{"line":"M4","in_min":3},{"line":"M10","in_min":11}]} | The M4 comes in 3 minutes, the M10 in 17.
    = Bürozeiten: Mo-Fr 7.30-16.00 Uhr | The office is open Monday to Friday from 7:30 am to 4 pm.
    ! Bürozeiten: Mo-Fr 7.30-16.00 Uhr | The office is open Monday to Friday from 7:30 am to 5 pm.
    = Film à 14h, 17h15 et 20h30 | The film runs at 2 pm, 5:15 pm and 8:30 pm.
    ! Film à 14h, 17h15 et 20h30 | The film runs at 2 pm, 5:15 pm and 9:30 pm.
    = {"cache_ttl":"300s","stale_after":"1h"} | It is cached for 300 seconds and stale after one hour.
    ! {"cache_ttl":"300s","stale_after":"1h"} | It is cached for 500 seconds and stale after one hour.
    = El curso dura 6 semanas, 2 sesiones de 90 minutos por semana | The course lasts six weeks with two sessions of 90 minutes a week.
    ! El curso dura 6 semanas, 2 sesiones de 90 minutos por semana | The course lasts eight weeks with two sessions of 90 minutes a week.
    = half-life 5.3 h, onset 30-60 min | The half-life is 5.3 hours; it acts after 30 to 60 minutes.
    ! half-life 5.3 h, onset 30-60 min | The half-life is 3.5 hours; it acts after 30 to 60 minutes.
    = {"shift":"22:00-06:00","break_min":45} | The shift is from 10 pm to 6 am with a break of 45 minutes.
    ! {"shift":"22:00-06:00","break_min":45} | The shift is from 10 pm to 6 am with a break of 30 minutes.
    = token expires in 3600 | The token expires in 3600 seconds.
    ! token expires in 3600 | The token expires in 7200 seconds.
    ! open 8:00-17:30 | It opens at 8 pm.
    = meeting at 2:30 | The meeting is at 14:30.
    = {"sunrise":"07:58","sunset":"16:31"} | The sun rises at 7:58 am and sets at 4:31 pm.
    ! {"sunrise":"07:58","sunset":"16:31"} | The sun rises at 7:58 am and sets at 4:13 pm.
    = Küche warm 11:30-14 Uhr und 17:30-21:30 Uhr | Hot meals are served from 11:30 am to 2 pm and from 5:30 to 9:30 pm.
    ! Küche warm 11:30-14 Uhr und 17:30-21:30 Uhr | Hot meals are served from 11:30 am to 2 pm and from 5:30 to 10:30 pm.
    = {"queue":{"position":4,"wait_minutes":25}} | You are fourth in line; the wait is about 25 minutes.
    ! {"queue":{"position":4,"wait_minutes":25}} | You are fourth in line; the wait is about 35 minutes.
    = Durée du trajet : 2 h 08, 1 correspondance | The trip takes 2 hours 8 minutes with one change.
    ! Durée du trajet : 2 h 08, 1 correspondance | The trip takes 2 hours 18 minutes with one change.
    = La farmacia abre de 9:30 a 14:00 y de 17:00 a 20:30 | The pharmacy is open 9:30 am–2 pm and 5–8:30 pm.
    ! La farmacia abre de 9:30 a 14:00 y de 17:00 a 20:30 | The pharmacy is open 9:30 am–2 pm and 5–9:30 pm.
    = {"schedule":"every 6 hours","last_run_s":47} | It runs every six hours; the last run took 47 seconds.
    ! {"schedule":"every 6 hours","last_run_s":47} | It runs every eight hours; the last run took 47 seconds.
    = kickoff 20:45 CET, stream from 20:00 | Kick-off is at 8:45 pm CET, the stream starts at 8 pm.
    ! kickoff 20:45 CET, stream from 20:00 | Kick-off is at 8:30 pm CET, the stream starts at 8 pm.
    = parking max 90 minutes, 8am-6pm | You may park for 90 minutes between 8 am and 6 pm.
    ! parking max 90 minutes, 8am-6pm | You may park for two hours between 8 am and 6 pm.
    = {"slots":["09:00","10:30","14:15"]} | Free slots are 9:00 am, 10:30 am and 2:15 pm.
    ! {"slots":["09:00","10:30","14:15"]} | Free slots are 9:00 am, 10:30 am and 3:15 pm.
    = Gottesdienst sonntags 10.30 Uhr | The service is on Sundays at half past ten (10:30).
    ! Gottesdienst sonntags 10.30 Uhr | The service is on Sundays at 10:00.
    = {"ttl":"72h","grace":"15m"} | It is valid for 72 hours, with a grace period of 15 minutes.
    ! {"ttl":"72h","grace":"15m"} | It is valid for 48 hours, with a grace period of 15 minutes.
    = El museo abre de martes a domingo de 10 a 20 h | The museum is open Tuesday to Sunday from 10 am to 8 pm.
    ! El museo abre de martes a domingo de 10 a 20 h | The museum is open Tuesday to Sunday from 10 am to 9 pm.
    = lap times 1:32.451 / 1:33.008 | The best lap was 1:32.451.
    ! lap times 1:32.451 / 1:33.008 | The best lap was 1:32.541.
    = prep 20 min, cook 1 h 10 min | Preparation takes 20 minutes and cooking 70 minutes.
    ! prep 20 min, cook 1 h 10 min | Preparation takes 20 minutes and cooking 80 minutes.
    = {"elapsed_ms":5400000} | It ran for 1.5 hours.
    ! {"elapsed_ms":5400000} | It ran for 2.5 hours.
    = Arrivée prévue à 23h05 (retard 12 min) | It will arrive at 11:05 pm, 12 minutes late.
    ! Arrivée prévue à 23h05 (retard 12 min) | It will arrive at 11:05 pm, 21 minutes late.
    = {"notice_period":"4 weeks to month end"} | The notice period is four weeks to the end of a month.
    ! {"notice_period":"4 weeks to month end"} | The notice period is six weeks to the end of a month.
    ! {"eta_minutes": 120} | It will arrive in an hour and a half.
    ! {"eta_minutes": 90} | It will arrive in half an hour.
    = 30 min | It takes half an hour.
    = 18 months | It takes a year and a half.
    ! 24 months | It takes a year and a half.
    ! 45 min | It takes a quarter of an hour.
    = 45 min | It takes three quarters of an hour.
    = 30 min | Es dauert eine halbe Stunde.
    ! 40 min | Es dauert eine halbe Stunde.
    = 90 min | Es dauert anderthalb Stunden.
    ! 60 min | Es dauert anderthalb Stunden.
    = 90 min | Es dauert eineinhalb Stunden.
    = 15 min | Es dauert eine Viertelstunde.
    ! 20 min | Es dauert eine Viertelstunde.
    = 45 min | Es dauert eine Dreiviertelstunde.
    = 90 min | Cela dure une heure et demie.
    ! 60 min | Cela dure une heure et demie.
    = 30 min | Cela dure une demi-heure.
    ! 20 min | Cela dure une demi-heure.
    = 90 min | Dura una hora y media.
    ! 60 min | Dura una hora y media.
    = 30 min | Dura media hora.
    ! 20 min | Dura media hora.
    = 1.5 hours | an hour and a half
    = Doors open 19:00, show starts 20:15, ends approx. 22:45 | Doors open at 7 pm, the show starts at 8:15 pm and ends around 10:45 pm.
    ! Doors open 19:00, show starts 20:15, ends approx. 22:45 | Doors open at 7 pm, the show starts at 8:50 pm and ends around 10:45 pm.
    = {"duration":"PT2H35M"} | The film lasts 2 h 35 min.
    ! {"duration":"PT2H35M"} | The film lasts 2 h 53 min.
    = {"uptime_seconds": 93784} | Uptime is 93,784 seconds.
    ! {"uptime_seconds": 93784} | Uptime is 97,384 seconds.
    = Sprechzeiten Mo–Do 8–12 und 14–17 Uhr, Fr 8–13 Uhr | We are open Monday to Thursday 8–12 and 14–17, Friday 8–13.
    ! Sprechzeiten Mo–Do 8–12 und 14–17 Uhr, Fr 8–13 Uhr | We are open Monday to Thursday 8–12 and 14–18, Friday 8–13.
    = sla: first response 4h, resolution 2 business days | First response within 4 hours, resolution within two business days.
    ! sla: first response 4h, resolution 2 business days | First response within 4 hours, resolution within five business days.
    = {"departs":"06:05","arrives":"09:40","tz":"CET"} | Departure 6:05 am, arrival 9:40 am (CET).
    ! {"departs":"06:05","arrives":"09:40","tz":"CET"} | Departure 6:05 pm, arrival 9:40 am (CET).
    = La piscine ouvre de 7h30 à 21h | The pool is open from 7:30 am to 9 pm.
    ! La piscine ouvre de 7h30 à 21h | The pool is open from 7:30 am to 8 pm.
    = cron: 15 2 * * 0 (02:15 every Sunday) | The job runs on Sundays at 2:15.
    ! cron: 15 2 * * 0 (02:15 every Sunday) | The job runs on Sundays at 2:45.
    = {"retry":{"count":3,"backoff_s":[1,2,4]}} | It retries 3 times, after 1, 2 and 4 seconds.
    ! {"retry":{"count":3,"backoff_s":[1,2,4]}} | It retries 3 times, after 1, 2 and 8 seconds.
    = Marathon record 2:00:35 | The record is 2:00:35.
    ! Marathon record 2:00:35 | The record is 2:01:35.
    = {"opens":"09:00","closes":"18:30"} | We are open from 9 am to 6:30 pm.
    ! {"opens":"09:00","closes":"18:30"} | We are open from 9 am to 7:30 pm.
    = Check-in ab 15 Uhr, Check-out bis 11 Uhr | Check-in starts at 3 pm, check-out is until 11 am.
    ! Check-in ab 15 Uhr, Check-out bis 11 Uhr | Check-in starts at 3 pm, check-out is until 10 am.
    = {"meeting":"2026-02-03 14:00-14:45"} | The meeting is on February 3 from 2:00 to 2:45 pm.
    ! {"meeting":"2026-02-03 14:00-14:45"} | The meeting is on February 3 from 2:00 to 3:15 pm.
    = Le train part à 17h42. | The train leaves at 17:42.
    ! Le train part à 17h42. | The train leaves at 17:24.
    = {"eta_minutes": 90} | It will arrive in an hour and a half.
    ! {"eta_minutes": 90} | It will arrive in two hours.
    = {"timeout_s": 300} | The time-out is 5 minutes.
    ! {"timeout_s": 300} | The time-out is 3 minutes.
    = El vuelo sale a las 6:15 y llega a las 8:05. | The flight leaves at 6:15 and lands at 8:05.
    ! El vuelo sale a las 6:15 y llega a las 8:05. | The flight leaves at 6:15 and lands at 8:50.
    = Backups run daily at 03:30 UTC, kept for 14 days | Backups run every day at 3:30 UTC and are kept for two weeks.
    ! Backups run daily at 03:30 UTC, kept for 14 days | Backups run every day at 3:30 UTC and are kept for three weeks.
    = Sprechzeiten Mo–Do 8–12 und 14–17 Uhr | We are open 8–12 and 14–17.
    ! Sprechzeiten Mo–Do 8–12 und 14–17 Uhr | We are open 8–12 and 14–18.
    ! Sprechzeiten Mo–Do 8–12 und 14–17 Uhr | It takes 14–17 days.
    = Dosis: 2 Tabletten à 500 mg, dreimal täglich | Take two tablets of 500 mg three times a day.
    ! Dosis: 2 Tabletten à 500 mg, dreimal täglich | Take two tablets of 500 mg twice a day.
    = 3x täglich | Nehmen Sie es dreimal täglich.
    ! 3x täglich | Nehmen Sie es viermal täglich.
    = trois fois par jour | three times a day
    ! trois fois par jour | four times a day
    = dos veces al día | twice a day
    = fee 5 | Ich habe es zweimal geprüft, die Gebühr ist 5.
    = due volte alla settimana | twice a week
    ! {"doses_per_day": 3} | Take it twice a day.
    = {"doses_per_day": 3} | Take it three times a day.
    = window: 24 hours | We have a 24-hour window
    = 24 h | It takes 1 day.
    = 90 minutes | It takes 1 hour 30 minutes.
    = 90 min | It takes 1.5 hours.
    = 1h 30m | It takes 90 minutes.
    = 14:30 | It starts at 2:30 pm.
    = 2:30 PM | It starts at 14:30.
    = {"at": "2025-03-09T14:30:00Z"} | It starts at 2:30 p.m.
    = 9 am | We open at 09:00.
    = 09:00-17:00 | We are open 9am–5pm.
    = open 9 am to 5 pm | Open from 09:00 until 17:00.
    = 14h30 | It starts at 14:30.
    = 14.30 Uhr | It starts at 14:30.
    = noon | It starts at 12:00.
    = {"duration": "PT24H"} | It lasts 24 hours.
    = {"days": 5} | It takes 5 days.
    = five days | It takes 5 days.
    = twenty-four hours | It takes 24 hours.
    = 2 weeks | It takes 14 days.
    = 1 year | It lasts 12 months.
    = 500 ms | It takes 0.5 seconds.
    = {"latency_ms": 250} | It takes 250 ms.
    = 24/7 | We are open 24/7.
    = 24 hours a day, 7 days a week | We are open 24/7.
    = 7 a.m. | It starts at 7:00 AM.
    = 16:00 UTC | It starts at 18:00+02:00.
    ! window: 24 hours | We have a 48-hour window
    ! 24 hours | It takes 24 days.
    ! 90 minutes | It takes 1 hour 20 minutes.
    ! 14:30 | It starts at 2:30 am.
    ! 14:30 | It starts at 14:45.
    ! 2:30 PM | It starts at 3:30 pm.
    ! 9 am | We open at 9 pm.
    ! 09:00-17:00 | We are open 9am–6pm.
    ! {"at": "2025-03-09T14:30:00Z"} | It starts at 2:31 p.m.
    ! {"duration": "PT24H"} | It lasts 36 hours.
    ! {"days": 5} | It takes 5 hours.
    ! five days | It takes 6 days.
    ! 500 ms | It takes 500 seconds.
    ! {"latency_ms": 250} | It takes 250 s.
    ! 24/7 | We are open 24/6.
    ! 2 weeks | It takes 2 months.
    ! noon | It starts at 11:00.
    ! 16:00 UTC | It starts at 16:00+02:00.
    = 18:30 | 6:30 pm
    = 18h30 | 18:30
    = 18.30 Uhr | 6:30 p.m.
    = 00:15 | 12:15 am
    ! 18:30 | 6:30 am
    ! 18:30 | 18:03
    ! 90 minutes | 2 hours
    = 90 minutes | 1.5 hours
    = 90 minutes | 1 h 30 min
    = {"start":"15:30"} | It starts at 3:30 PM.
    ! {"start":"15:30"} | It starts at 3:30 AM.
    = opens 9am daily | It opens at 9:00 AM.
    = fermeture 17h00 | It closes at 5 pm.
    ! closing time 17:00 | It closes at 6 pm.
    = runtime: 90 min | It lasts 1 h 30 min.
    ! runtime: 90 min | It lasts 1 h 20 min.
    = 2024-05-01T09:15:00+02:00 | The call is at 9:15 on May 1, 2024.
    ! 2024-05-01T09:15:00+02:00 | The call is at 9:45 on May 1, 2024.
    = {"eta_seconds": 300} | It arrives in 5 minutes.
    ! {"eta_seconds": 300} | It arrives in 3 minutes.
    = departs 00:05 | It departs at 12:05 am.
    = Check-in from 15:00, check-out until 11:00 | Check in from 3 pm and out by 11 am.
    ! Check-in from 15:00, check-out until 11:00 | Check in from 2 pm and out by 11 am.
    = {"duration_min": 135} | The flight takes 2 h 15 min.
    ! {"duration_min": 135} | The flight takes 2 h 35 min.
    = {"departure_time":"06:40","arrival_time":"09:05"} | It leaves at 6:40 AM and lands at 9:05 AM.
    = 20:15 Uhr | It starts at 8:15 pm.
    = time-out after 30 s | It times out after 30,000 ms.
    ! time-out after 30 s | It times out after 3 minutes.
    = every weekday at 7.30 a.m. | every weekday at 07:30
    = response within 2 business days | within two business days (2 days)
    = {"created_at":"2025-02-03T08:05:30.120Z"} | at 08:05 on February 3
    ! {"created_at":"2025-02-03T08:05:30.120Z"} | at 08:50 on February 3
    = closes at midnight | It closes at 12 am.
    = {"timeout_ms": 1500} | after 1.5 s
    ! {"timeout_ms": 1500} | after 15 s
    = lunch 12:30-13:15 | from 12:30 to 1:15 pm
    = 2 days 4 hours | 52 hours
    = uptime 99 days, 3:12 | 99 days
    = the 7:45 p.m. show | the 19:45 show
    ! the 7:45 p.m. show | the 19:15 show
    = 7pm PST | 19:00 PST
    = half past 3 | 3:30
    = quarter to 5 | 4:45
    = 1430 hrs | 2:30 pm
    = 08:00–12:00, 13:00–17:00 | 8am to noon and 1pm to 5pm
    = 3 hrs 5 mins | 3:05 h
    = 00:03:25 | 3 min 25 s
    = {"duration_ms": 205000} | 3 minutes 25 seconds
    = 2 hrs | 120 minutes
    = 15 minutes ago | a quarter hour? 15 minutes ago
    = every 30s | every 30 seconds
    = PT1H30M | 90 minutes
    = 23:59:59 | 11:59:59 PM
    = 9-5 | 9 to 5
    = 9:30–10:15am | 09:30 to 10:15
    = T-10 minutes | T-10 minutes
    = UTC+2 | UTC+02:00
    = 12h | 12 hours
    = {"opens":"0900","closes":"1730"} | 9:00 to 17:30
    = {"sla_hours": 4} | within 4 hours
    ! {"sla_hours": 4} | within 4 minutes
    = doors 18:30, show 19:30 | doors at 6:30 pm, show at 7:30 pm
    ! doors 18:30, show 19:30 | doors at 6:30 pm, show at 8:30 pm
    = took 1m 12s | 72 seconds
    = 9 bis 18 Uhr | 9 am to 6 pm
    = 9–18 Uhr | 9:00–18:00
    = de 9h à 18h | from 9 am to 6 pm
    = 9.30 bis 18.15 Uhr | from 9:30 to 18:15
    = van 9 tot 18 uur | 9:00 to 18:00
    = at 5 o'clock | at 17:00
    = um 9 Uhr | 9:00
    = à 17h | at 5 pm
    ! 9 bis 18 Uhr | 9:00 to 19:00
    ! 9 bis 18 Uhr | 10:00 to 18:00
    ! de 9h à 18h | from 9 am to 8 pm
    ! takes 9h | at 9:30
    ! Check-out bis 11 Uhr | Check-out is until 10 Uhr.
    = within eight hours | It takes 8 hours.
    = Every 8 hours | every eight hours
    ! Every 8 hours | every six hours
    ! 500 mg 3 times a day | four times a day
    = 500 mg 3 times a day | three times a day
    = It takes 2 to 3 weeks | It takes two to three weeks.
    ! It takes 2 to 3 weeks | It takes two to four weeks.
    ! ships in 24 hours | It ships in forty-eight hours.
    = {"n":3} | There are 3 results; one of the two options fits, the first step of two-factor login takes two attempts, and the two days are fine.
    ? Boarding: 0█:25, gate B | Boarding starts at 7:25 am.
    ! Boarding: 0█:25, gate B | Boarding starts at 7:35 am.
    = 2025-03-01T10:00:00Z/2025-03-01T12:00:00Z | from 10:00 to 12:00 UTC on 1 March 2025
    ! 2025-03-01T10:00:00Z/2025-03-01T12:00:00Z | from 10:00 to 13:00 UTC on 1 March 2025
    = {"time":"14:00","tz":"+05:30"} | 14:00 (UTC+5:30)
    = 14:00 CET | 2 pm CET
    ! 14:00 CET | 3 pm CET
    = 1h 20m | 80 minutes
    = {"duration":"PT1H20M"} | 1h 20m
    ! {"duration":"PT1H20M"} | 1h 30m
    = 2025-03-09 12:01:33,482 ERROR [worker-3] job 991 failed | Job 991 failed on worker-3 at 12:01:33.
    ! 2025-03-09 12:01:33,482 ERROR [worker-3] job 991 failed | Job 991 failed on worker-4 at 12:01:33.
    = {"dep":"2025-05-01T22:40","arr":"2025-05-02T06:10"} | It leaves at 10:40 pm and arrives at 6:10 am the next day (2 May).
    ! {"dep":"2025-05-01T22:40","arr":"2025-05-02T06:10"} | It leaves at 10:40 pm and arrives at 6:10 am (3 May).
    = {"elapsed":"1:02:33"} | 1 hour 2 minutes 33 seconds
    ! {"elapsed":"1:02:33"} | 1 hour 20 minutes 33 seconds
    = Every 8 hours | every eight hours
    ! Every 8 hours | every six hours
    = {"opens":"07:30","closes":"21:00"} | It is open from 7:30 to 9 pm.
    = Abfahrt 14.05 Uhr | It leaves at 2:05 p.m.
    = {"duration":"PT2H15M"} | It takes 2 hours 15 minutes.
    = {"elapsed_s":95} | It took 1 min 35 s.
    = Check-out by noon | Check out by 12:00.
    = Llegada: 23:55 h | It arrives at 11:55 PM.
    = run time 1:42:07 | The run time is 1 hour, 42 minutes and 7 seconds.
    = {"age_years":34} | The patient is 34 years old.
    = Backup daily at 0200 hours | The backup runs every day at 2 am.
    ! {"opens":"07:30"} | It opens at 8:30.
    ! {"duration":"PT2H15M"} | It takes 2 hours 50 minutes.
    ! Check-out by noon | Check out by 11:00.
    ! {"age_years":34} | The patient is 43.
    ! run time 1:42:07 | The run time is 1 hour, 24 minutes and 7 seconds.
    = {"opens":"08:30","closes":"17:00"} | They are open from 8:30 a.m. to 5 p.m.
    = Abfahrt 14.05 Uhr | It leaves at 14:05.
    = {"slot":"2026-01-12T15:00:00+01:00"} | Your slot is at 3 pm on 12 January 2026.
    = Ouvert de 9h à 18h30 | Open from 9 am to 6:30 pm.
    = 午後3時15分開始 | It starts at 3:15 p.m.
    = Doors 7:30pm, show 8pm | Doors open at 19:30, the show starts at 20:00.
    = {"eta_minutes": 95} | It takes 95 minutes, that is 1 h 35 min.
    = Window: 24 hours | You have a 24-hour window.
    = {"cron":"0 6 * * 1","next":"06:00"} | The next run is at 6:00.
    = Check-out by noon | Check-out is at 12:00.
    = Timeout 90s | It times out after 90 seconds.
    = {"time":"00:15"} | It runs at 12:15 a.m.
    = 23:59:59 UTC | The deadline is 23:59:59 UTC.
    ! {"opens":"08:30","closes":"17:00"} | They are open from 8:30 p.m.
    ! Abfahrt 14.05 Uhr | It leaves at 14:50.
    ! Ouvert de 9h à 18h30 | Open from 9 am to 8:30 pm.
    ! Doors 7:30pm, show 8pm | Doors open at 7:30 am.
    ! Timeout 90s | It times out after 90 minutes.
    ! {"time":"00:15"} | It runs at 12:15 p.m.
    ! Window: 24 hours | You have 24 days.
    = Öffnungszeiten: Mo–Sa 9:30–20 Uhr | Geöffnet von 9:30 bis 20:00 Uhr.
    = {"hora":"21:45"} | La película empieza a las 9:45 de la noche.
    = Rdv à 8h05 | Rendez-vous à 8 h 05.
    = 集合は18時半 | 集合は18:30です。
    = {"start":"2026-01-12T15:00:00Z"} | It starts at 15:00 UTC, i.e. 3 PM.
    = 1d 4h uptime | It has been up for 28 hours.
    ! Öffnungszeiten: Mo–Sa 9:30–20 Uhr | Geöffnet von 9:30 bis 21:00 Uhr.
    ! {"hora":"21:45"} | La película empieza a las 9:45 de la mañana.
    ! Rdv à 8h05 | Rendez-vous à 8 h 50.
    ! 集合は18時半 | 集合は19:30です。
    ! {"start":"2026-01-12T15:00:00Z"} | It starts at 5 PM.
    ! 1d 4h uptime | It has been up for 14 hours.
    = {"departure":"17:42","platform":"9 3/4"} | It leaves at 5:42 p.m. from platform 9 3/4.
    = Sprechstunde Di 16–18 Uhr | Office hours are Tuesday 4 to 6 pm.
    = {"ttl":3600} | The TTL is 3600 seconds, i.e. one hour.
    = Réveil à 6h45 | L'alarme est à 06:45.
    = {"duration_minutes":150} | It lasts two and a half hours.
    = 営業時間 10:00～19:30 | 営業時間は10時から19時30分までです。
    = Halftime at 45' | Half-time comes at 45 minutes.
    = maintenance 02:00-04:00 UTC | Maintenance runs from 2 a.m. to 4 a.m. UTC.
    = 3 Wochen Frist | You have 21 days.
    ! {"departure":"17:42"} | It leaves at 5:24 p.m.
    ! Sprechstunde Di 16–18 Uhr | Office hours are Tuesday 4 to 7 pm.
    ! Réveil à 6h45 | L'alarme est à 18:45.
    ! {"duration_minutes":150} | It lasts three and a half hours.
    ! 営業時間 10:00～19:30 | 営業時間は10時から20時30分までです。
    ! maintenance 02:00-04:00 UTC | Maintenance runs from 2 p.m. to 4 p.m. UTC.
    ! 3 Wochen Frist | You have 3 days.
    = Anstoß 20:45 Uhr MEZ | Kick-off is at 8:45 pm CET.
    = {"open":"9:00 AM","close":"6:00 PM"} | 9 Uhr bis 18 Uhr
    = 3 x täglich alle 8 Stunden | Three times a day, every 8 hours.
    = Laufzeit 2:15 h | It runs for 2 hours and 15 minutes.
    = midnight UTC | 00:00 UTC
    = las 13:05 | la una y cinco de la tarde (13:05)
    = 90 min + 15 min Pause | 90 Minuten plus 15 Minuten Pause
    = quarter past six pm | 6:15 pm
    ! Anstoß 20:45 Uhr MEZ | Kick-off is at 8:45 am CET.
    ! {"open":"9:00 AM","close":"6:00 PM"} | 9 Uhr bis 16 Uhr
    ! Laufzeit 2:15 h | It runs for 2 hours and 50 minutes.
    ! alle 8 Stunden | every 8 days
    ! 90 min + 15 min Pause | 90 Minuten plus 50 Minuten Pause
    ! midnight UTC | 12:00 UTC
    = Zug 06:03 ab, 08:51 an | departs 6:03 am, arrives 8:51 am
    = {"at":"1:00 PM PST"} | at 13:00 PST
    = dentro de 3/4 de hora (45 minutos) | in 45 minutes
    = 12 Uhr mittags | at noon
    = 正午 | 12:00
    = timeout=30s retries=5 | 30 seconds, 5 retries
    = open 24/7 | 24/7
    = 14h | 2 p.m.
    = 48 Stunden | two days
    ! Zug 06:03 ab, 08:51 an | arrives 8:15 am
    ! {"at":"1:00 PM PST"} | at 11:00 PST
    ! 12 Uhr mittags | at 2 p.m.
    ! timeout=30s retries=5 | 30 minutes, 5 retries
    ! half an hour | 30 seconds
    ! 14h | 4 p.m.
    ! 48 Stunden | three days
    ! 6:15 in the morning | 6:15 pm
    = {"from":"07:00:00","to":"15:30:00"} | from 7 am to 3:30 pm
    = halb-stündlich: 30 min | every 30 minutes
    = 17 h 10 | 5:10 pm
    = la reunión dura 1 h y 20 min | the meeting takes 80 minutes
    = 6 p.m. ET / 3 p.m. PT | 6 pm ET, 3 pm PT
    = 9時〜18時 | 9時から18時まで
    = Fahrzeit: 1 Std. 48 Min. | 1 hour 48 minutes
    = 21:00 Uhr | 9 Uhr abends
    ! {"from":"07:00:00","to":"15:30:00"} | from 7 am to 5:30 pm
    ! 17 h 10 | 7:10 pm
    ! la reunión dura 1 h y 20 min | the meeting takes 120 minutes
    ! 6 p.m. ET / 3 p.m. PT | 5 pm ET
    ! 9時〜18時 | 9時から19時まで
    ! Fahrzeit: 1 Std. 48 Min. | 1 hour 84 minutes
    ! 21:00 Uhr | 9 Uhr morgens
    ! every 15 minutes | every 15 seconds
    = {"open":"10:00","close":"22:00"} | open from 10 a.m. to 10 p.m.
    = The bus leaves at 7:05 and arrives at 9:40. | It leaves at 7:05 and arrives at 9:40.
    = runtime 2h 15m | It runs for 2 hours 15 minutes (135 minutes).
    = cutoff: 17:00 CET | the cutoff is 5 pm CET
    = response time 250 ms | 0.25 seconds
    ! {"open":"10:00","close":"22:00"} | open until 11 p.m.
    ! The bus leaves at 7:05 and arrives at 9:40. | It arrives at 9:14.
    ! runtime 2h 15m | It runs for 125 minutes.
    ! cutoff: 17:00 CET | the cutoff is 5 am CET
    ! response time 250 ms | 2.5 seconds
    = 24-hour reception | reception is open 24 hours
    = 0730 hrs | 7:30 am
    = half past six | 6:30
    = quarter to nine | 8:45
    = 12:00 | noon
    = 36 hours | a day and a half (36 h)
    = 19 Uhr | 7 pm
    = 1½ h | 90 minutes
    ! 24-hour reception | reception is open 12 hours
    ! 0730 hrs | 7:30 pm
    ! half past six | 5:30
    ! quarter to nine | 9:15
    ! 12:00 | midnight
    ! 19 Uhr | 9 pm
    ! 1½ h | 75 minutes
  `,
  ranges: `
    = {"price_range":{"low":"$18","high":"$24"}} | Mains cost between $18 and $24.
    ! {"price_range":{"low":"$18","high":"$24"}} | Mains cost between $18 and $28.
    = Kapitel 3 bis 5, S. 40–77 | Read chapters 3 to 5, pages 40–77.
    ! Kapitel 3 bis 5, S. 40–77 | Read chapters 3 to 6, pages 40–77.
    = entre 18 y 65 años | For people between 18 and 65.
    ! entre 18 y 65 años | For people between 16 and 65.
    = {"levels":{"low":"<70","target":"70-180","high":">180"}} | The target is 70 to 180; below 70 is low.
    ! {"levels":{"low":"<70","target":"70-180","high":">180"}} | The target is 80 to 180; below 70 is low.
    = pages 4–6 & 9 | See pages 4 to 6 and 9.
    ! pages 4–6 & 9 | See pages 4 to 6 and 8.
    = zoom 24–70 mm f/2.8 | The lens is a 24–70 mm with f/2.8.
    ! zoom 24–70 mm f/2.8 | The lens is a 24–105 mm with f/2.8.
    = température de 2 à 8 °C, 36 mois | Store it at 2 to 8 °C for up to 36 months.
    ! température de 2 à 8 °C, 36 mois | Store it at 2 to 8 °C for up to 24 months.
    = {"score":"4-2","xg":[2.7,1.9]} | They won 4–2 with 2.7 to 1.9 expected goals.
    ! {"score":"4-2","xg":[2.7,1.9]} | They won 4–1 with 2.7 to 1.9 expected goals.
    = {"tiers":[{"upto":1000,"price":0.1},{"upto":10000,"price":0.08}]} | Up to 1,000 it costs 0.10 each, up to 10,000 it costs 0.08.
    ! {"tiers":[{"upto":1000,"price":0.1},{"upto":10000,"price":0.08}]} | Up to 1,000 it costs 0.10 each, up to 10,000 it costs 0.06.
    = Grade 5-7, groups of max. 24 | It is for grades 5 to 7 in groups of at most 24.
    ! Grade 5-7, groups of max. 24 | It is for grades 5 to 8 in groups of at most 24.
    = Wartezeit 2–3 Wochen, in Einzelfällen bis zu 6 Wochen | The wait is two to three weeks, in some cases up to six weeks.
    ! Wartezeit 2–3 Wochen, in Einzelfällen bis zu 6 Wochen | The wait is two to three weeks, in some cases up to eight weeks.
    = taille 38 à 44, prix 29-39 € | Sizes 38 to 44 cost €29 to €39.
    ! taille 38 à 44, prix 29-39 € | Sizes 38 to 46 cost €29 to €39.
    = best of 5, 3-1 after four games | They lead 3–1 after four games of a best of five.
    ! best of 5, 3-1 after four games | They lead 2–1 after four games of a best of five.
    = {"bpm":{"min":52,"avg":68,"max":141}} | Your heart rate was between 52 and 141 with a mean of 68.
    ! {"bpm":{"min":52,"avg":68,"max":141}} | Your heart rate was between 52 and 144 with a mean of 68.
    = De 1 a 3 habitaciones, desde 45 m² hasta 92 m² | Flats have 1 to 3 rooms and 45 to 92 m².
    ! De 1 a 3 habitaciones, desde 45 m² hasta 92 m² | Flats have 1 to 4 rooms and 45 to 92 m².
    = ratio 1:2.5 (cement:sand) | Mix cement and sand 1:2.5.
    ! ratio 1:2.5 (cement:sand) | Mix cement and sand 1:3.5.
    = {"party_size":{"min":2,"max":10}} | Tables are for 2 to 10 guests.
    ! {"party_size":{"min":2,"max":10}} | Tables are for 2 to 12 guests.
    = Alter 3–99, 2–4 Spieler, Dauer 30–45 min | For 2 to 4 players aged 3 to 99; a game takes 30–45 minutes.
    ! Alter 3–99, 2–4 Spieler, Dauer 30–45 min | For 2 to 6 players aged 3 to 99; a game takes 30–45 minutes.
    = normal range: 4.0-5.6 % | The normal range is 4.0 to 5.6%.
    ! normal range: 4.0-5.6 % | The normal range is 4.0 to 6.5%.
    = between $1,200 and $1,500 | It will cost between $1,200 and $1,500.
    ! between $1,200 and $1,500 | It will cost between $1,200 and $1,800.
    = {"page_range":"17-31"} | It is on pages 17 to 31.
    ! {"page_range":"17-31"} | It is on pages 17 to 13.
    = Tamaño 36-41 disponible | Sizes 36 to 41 are available.
    ! Tamaño 36-41 disponible | Sizes 36 to 42 are available.
    = top 5 of 128 results, score >= 0.8 | These are the top 5 of 128 results with a score of at least 0.8.
    ! top 5 of 128 results, score >= 0.8 | These are the top 5 of 182 results with a score of at least 0.8.
    = de 15 à 20 °C, vent 10-15 km/h | 15 to 20 °C with 10 to 15 km/h of wind.
    ! de 15 à 20 °C, vent 10-15 km/h | 15 to 25 °C with 10 to 15 km/h of wind.
    = 0–5 V analog input, 12-bit | The analog input takes 0 to 5 V at 12 bits.
    ! 0–5 V analog input, 12-bit | The analog input takes 0 to 10 V at 12 bits.
    = {"wind":"15-25 km/h","gusts":"40 km/h"} | Wind of 15 to 25 km/h with gusts up to 40 km/h.
    ! {"wind":"15-25 km/h","gusts":"40 km/h"} | Wind of 15 to 35 km/h with gusts up to 40 km/h.
    = Gruppen von 8 bis 15 Personen, Preis 12–18 € p. P. | Groups of 8 to 15 people pay €12–18 each.
    ! Gruppen von 8 bis 15 Personen, Preis 12–18 € p. P. | Groups of 8 to 20 people pay €12–18 each.
    = ages 6-12: half price; under 6 free | Children aged 6 to 12 pay half, those under 6 are free.
    ! ages 6-12: half price; under 6 free | Children aged 6 to 12 pay half, those under 3 are free.
    = pH 6.8 ± 0.2 | The pH is 6.8 ± 0.2.
    ! pH 6.8 ± 0.2 | The pH is 6.8 ± 0.1.
    = Score 3:1 (half-time 1:0) | They won 3–1 after leading 1–0 at half-time.
    ! Score 3:1 (half-time 1:0) | They won 3–2 after leading 1–0 at half-time.
    = lines 40-58 in src/app.ts | See lines 40 to 58 of src/app.ts.
    ! lines 40-58 in src/app.ts | See lines 40 to 85 of src/app.ts.
    = rated 4.6/5 by 1,284 guests | It has a rating of 4.6 out of 5 from 1,284 guests.
    ! rated 4.6/5 by 1,284 guests | It has a rating of 4.8 out of 5 from 1,284 guests.
    = {"results":{"total":342,"page":2,"per_page":25}} | Showing page 2 of 342 results, 25 per page.
    ! {"results":{"total":342,"page":2,"per_page":25}} | Showing page 2 of 324 results, 25 per page.
    = 2-3 cups of water, simmer 10–12 min | Simmer with two to three cups of water for 10 to 12 minutes.
    ! 2-3 cups of water, simmer 10–12 min | Simmer with two to four cups of water for 10 to 12 minutes.
    = {"min_age":18,"max_age":35} | The offer is for people aged 18–35.
    ! {"min_age":18,"max_age":35} | The offer is for people aged 18–36.
    = Delivery takes 3-5 business days. | Delivery takes three to five business days.
    ! Delivery takes 3-5 business days. | Delivery takes 5 to 7 business days.
    = {"temp_low":11,"temp_high":19} | Temperatures will be between 11 and 19 degrees.
    ! {"temp_low":11,"temp_high":19} | Temperatures will be between 11 and 21 degrees.
    = Seiten 112-118, Kapitel 4 | Siehe Kapitel 4, Seiten 112 bis 118.
    ! Seiten 112-118, Kapitel 4 | Siehe Kapitel 5, Seiten 112 bis 118.
    = {"limit":{"rpm":60,"burst":10}} | You may send at most 60 requests a minute, with bursts of up to 10.
    ! {"limit":{"rpm":60,"burst":10}} | You may send at most 600 requests a minute, with bursts of up to 10.
    = Plan sizes: 10, 25, 50 or 100 seats | You can pick 10, 25, 50 or 100 seats.
    ! Plan sizes: 10, 25, 50 or 100 seats | You can pick 10, 25, 75 or 100 seats.
    = ± 2 mm tolerance, 40–60 % humidity | The tolerance is ±2 mm at 40 to 60% humidity.
    ! ± 2 mm tolerance, 40–60 % humidity | The tolerance is ±3 mm at 40 to 60% humidity.
    = {"salary":{"from":48000,"to":56000},"currency":"EUR"} | Das Gehalt liegt zwischen 48.000 und 56.000 Euro.
    ! {"salary":{"from":48000,"to":56000},"currency":"EUR"} | Das Gehalt liegt zwischen 48.000 und 65.000 Euro.
    = range 1.500 - 2.250 kg | between 1500 and 2250 kg
    ! range 1.500 - 2.250 kg | between 1500 and 2500 kg
    = Entre 3 y 5 días laborables | It takes between 3 and 5 working days.
    ! Entre 3 y 5 días laborables | It takes between 3 and 7 working days.
    = de 2 y 4 horas | 2 y 4 horas
    = lease: 2 y 3 mo | The lease is for 2 years and 3 months.
    = 10-15 days | It takes 10 to 15 days.
    = 10 to 15 days | It takes 10–15 days.
    = between 10 and 15 days | It takes 10–15 days.
    = {"min": 10, "max": 15} | It takes 10–15 days.
    = 10-15 days | It takes at least 10 days.
    = 10-15 days | It takes up to 15 days.
    = ages 8+ | It is for ages 8 and up.
    = 500+ | More than 500 customers.
    = ≥ 18 | You must be 18 or older.
    = 5-10k | Between 5,000 and 10,000.
    = 2019-2021 | From 2019 to 2021.
    = pages 12–34 | See pages 12-34.
    = score 3-1 | They won 3–1.
    = score 3-1 | They won 3:1.
    = ratio 16:9 | It is 16:9.
    = {"home": 3, "away": 1} | They won 3-1.
    = 4.5/5 | It is rated 4.5 out of 5.
    = 7 of 10 | It passed 7/10.
    = ±5 | within ±5
    = 1/2 | It is 0.5.
    = 1,000-2,000 | from 1000 to 2000
    = rank 2 | It came 2nd.
    = ~40 people | About 40 people came.
    = > 100 | more than 100
    = 1,2,3 | Items 1, 2 and 3.
    ! 10-15 days | It takes 10 to 16 days.
    ! 10-15 days | It takes 12 days.
    ! 10-15 days | It takes 10–15 weeks.
    ! between 10 and 15 days | It takes 5–10 days.
    ! {"min": 10, "max": 15} | It takes 10–20 days.
    ! score 3-1 | They won 1–3.
    ! score 3-1 | They won 3–2.
    ! ratio 16:9 | It is 16:10.
    ! 2019-2021 | From 2019 to 2022.
    ! pages 12–34 | See pages 12-43.
    ! 4.5/5 | It is rated 4.6 out of 5.
    ! 7 of 10 | It passed 8/10.
    ! 500 | More than 5000 customers.
    ! 5-10k | Between 5,000 and 15,000.
    ! rank 2 | It came 3rd.
    ! 1/2 | It is 0.25.
    ! ~40 people | About 400 people came.
    ! 1,000-2,000 | from 1000 to 3000
    = {"min":5,"max":7} | 5 bis 7 Tage
    = 3 to 5 days | 3–5 Tage
    = between 10 and 20 | entre 10 et 20
    ! {"min":5,"max":7} | 5 bis 8 Tage
    ! 3-5 days | 3-5 weeks
    ! 10-20 | 10-25
    = ages 18-25 | For people 18 to 25 years old.
    ! ages 18-25 | For people 18 to 35 years old.
    = ships in 10–15 business days | It takes 10 to 15 business days.
    ! ships in 3-5 days | It takes 3-7 days.
    = $50-$100 | Between $50 and $100.
    ! $50-$100 | Between $50 and $150.
    = see pages 12-19 | Read pp. 12–19.
    ! see pages 12-19 | Read pp. 12–29.
    = {"min": 4, "max": 8} | It seats 4–8 people.
    = open 9am–5pm | Open 9:00–17:00.
    ! open 9am–5pm | Open 9am–6pm.
    ! from 2019 to 2023 | In 2018–2023.
    = 3–5 working days | between 3 and 5 working days
    ! 3–5 working days | between 2 and 5 working days
    = {"temp":{"low":-3,"high":6}} | From −3 to 6 degrees.
    ! {"temp":{"low":-3,"high":6}} | From 3 to 6 degrees.
    = salary band: $95k-$120k | $95,000 to $120,000
    ! salary band: $95k-$120k | $95,000 to $125,000
    = sizes 36 through 42 | sizes 36–42
    = rated 4.7/5 by 213 guests | 4.7 out of 5 from 213 guests
    ! for groups of 6-12 | for groups of 6 to 20
    = between 1,200 and 1,500 words | 1200–1500 words
    ! between 1,200 and 1,500 words | 1200–1800 words
    = {"age_min":6,"age_max":12} | ages 6 to 12
    ! {"age_min":6,"age_max":12} | ages 6 to 14
    = 15-20 min | 15 to 20 minutes
    = max. 8 persons | up to 8 people
    = -10...+40 °C | from -10 to 40 °C
    = 1-2 per day | 1 to 2 a day
    ! speed 30-50 km/h | 30 to 50 mph
    = Jan-Mar 2025 | January to March 2025
    ? total 1234 | It is 1,2,34.5.6
    ? 12.5 kg | It weighs 12..5 kg
    ? 12 and 0.5 kg | It weighs 12..5 kg
    ? $1,200 | It costs $1.20.0,50.
    ? 50% | It is 5_0__%.
    = It is 1,2,34.5.6 | It is 1,2,34.5.6
    = <10 | under 10
    = 0.5–1.5 mm | 0.5 to 1.5 mm
    = Levels 1-5 | levels 1 through 5
    = 1,000 to 1,500 | 1000–1500
    = −5 to 5 °C | between -5 and 5 °C
    = 20-30% off | 20% to 30% off
    = chapters 3–5 | chapters 3 to 5
    = 10+ years | more than 10 years
    = 3±1 | 3 ± 1
    = [0, 1] | between 0 and 1
    = {"range":[10,20]} | 10-20
    ! {"range":[10,20]} | 10-30
    = 60s–90s | 60 to 90 seconds
    = from 5 up to 10 | 5–10
    = $1M–$5M | $1-5 million
    = 1/3 | ⅓
    = top 5% | top 5 percent
    = 2–4 °C | between 2 and 4 degrees Celsius
    ! 2–4 °C | between 2 and 8 degrees Celsius
    = {"low": 1.05, "high": 1.12} | 1.05–1.12
    = 100-150 mg | 100 mg to 150 mg
    ! 100-150 mg | 100 mg to 250 mg
    = half a million to two million requests | 500,000–2,000,000
    = {"min":3,"max":5} | between three and five days
    = 3-5 business days | three-to-five business days (3-5)
    ! {"min":3,"max":5} | between three and six days
    ! 3-5 business days | four to five business days
    = 112-148 | 112–148
    ? pages 112-1█8 | pages 112–148
    ? range 10�15 days | It takes 10 to 15 days.
    ! range 10�15 days | It takes 10 to 16 days.
    = Full time 3–1 | It ended 3-1.
    = {"home_goals":3,"away_goals":1} | It ended 3–1.
    ! {"home_goals":3,"away_goals":1} | It ended 3–2.
    = odds 5/2 | The odds are 5/2.
    ! odds 5/2 | The odds are 7/2.
    = {"odds":"2:1"} | odds of 2 to 1
    = seats 14A-14C | seats 14A to 14C
    = bake at 180°C (gas mark 4) for 25–30 min | Bake at 180 °C, gas mark 4, for 25 to 30 minutes.
    ! bake at 180°C (gas mark 4) for 25–30 min | Bake at 180 °C, gas mark 6, for 25 to 30 minutes.
    = 95% CI [1.02, 1.18] | a 95% confidence interval of 1.02–1.18
    ! 95% CI [1.02, 1.18] | a 95% confidence interval of 1.02–1.28
    = {"score":{"sets":["6-4","3-6","7-5"]}} | She won 6–4, 3–6, 7–5.
    ! {"score":{"sets":["6-4","3-6","7-5"]}} | She won 6–4, 3–6, 7–6.
    = {"capacity":{"from":8,"to":12}} | It seats 8 to 12 people.
    = Size 36–42 | Sizes run from 36 to 42.
    = Vote 7:2 in favour | They voted 7 to 2.
    = {"min_age":18} | Guests have to be at least 18.
    = 5±0.2 mm | The part measures 5 mm, give or take 0.2 mm.
    = Kapitel XIV, Seiten 201-219 | Chapter 14 covers pages 201 to 219.
    = {"rooms":3,"baths":2} | It has three rooms and two baths.
    = up to 20 kg | Luggage may weigh at most 20 kg.
    = Ages 6-12: 8 € | Children from six to twelve years pay €8.
    = World War II ended in 1945 | World War 2 ended in 1945.
    ! {"capacity":{"from":8,"to":12}} | It seats 8 to 14 people.
    ! {"rooms":3,"baths":2} | It has four rooms and two baths.
    ! Vote 7:2 in favour | They voted 7 to 3.
    ! {"tickets":2} | I booked five tickets for you.
    ! Kapitel XIV | See chapter XVI.
    = {"min":3,"max":5,"unit":"business days"} | Delivery takes 3–5 business days.
    = Ages 6 to 12 | It is for children aged 6-12.
    = Temp. range: -20 °C … +60 °C | It works between −20 °C and 60 °C.
    = {"price_range":"$50-$75"} | It costs between $50 and $75.
    = 10-15 % Rabatt | You get a discount of 10 to 15 percent.
    = {"salary":"80k–95k EUR"} | The salary is €80,000 to €95,000.
    = pages 112-118 | See pages 112–118.
    = {"ports":"8000-8010"} | Ports 8000 to 8010 are open.
    = Mo-Fr 8-18 Uhr | Monday to Friday, 8:00 to 18:00.
    = up to 250 users | It supports up to 250 users.
    = ≥ 16 GB RAM | At least 16 GB of RAM is needed.
    = 2 bis 3 Wochen | It takes 2 to 3 weeks.
    = {"between":["2019","2023"]} | Between 2019 and 2023.
    = 5±0.2 mm | The thickness is 5 mm ± 0.2 mm.
    ! {"min":3,"max":5,"unit":"business days"} | Delivery takes 3–7 business days.
    ! Ages 6 to 12 | It is for children aged 6-14.
    ! Temp. range: -20 °C … +60 °C | It works between 20 °C and 60 °C.
    ! {"price_range":"$50-$75"} | It costs between $50 and $95.
    ! 10-15 % Rabatt | You get a discount of 10 to 50 percent.
    ! {"salary":"80k–95k EUR"} | The salary is €80,000 to €95 million.
    ! pages 112-118 | See pages 112–181.
    ! up to 250 users | It supports up to 2500 users.
    = Lieferzeit 2-4 Werktage | Die Lieferung dauert zwei bis vier Werktage.
    = entre 10 y 20 personas | Caben de 10 a 20 personas.
    = de 5 à 7 jours | Entre cinq et sept jours.
    = 5～7日 | 5日から7日かかります。
    = {"age":{"gte":18,"lt":65}} | Für Personen ab 18 und unter 65 Jahren.
    = <5 ms | less than 5 ms
    = 3+ years of experience | At least three years of experience.
    ! Lieferzeit 2-4 Werktage | Die Lieferung dauert zwei bis fünf Werktage.
    ! entre 10 y 20 personas | Caben de 10 a 30 personas.
    ! de 5 à 7 jours | Entre cinq et huit jours.
    ! 5～7日 | 5日から9日かかります。
    ! 3+ years of experience | At least 5 years of experience.
    ! <5 ms | less than 5 s
    = {"low":18,"high":24,"unit":"°C"} | Between 18 and 24 °C.
    = Teilnehmer: 8–12 | Für 8 bis 12 Teilnehmer.
    = from $1,200 up to $1,800 | It costs $1,200–$1,800.
    = de 18 à 35 ans | Pour les 18-35 ans.
    = 0.5–1.5 mg | Half a milligram to 1.5 mg, i.e. 0.5 to 1.5 mg.
    = 10万円〜15万円 | 10万円から15万円です。
    = Q1–Q3 2025 | From Q1 to Q3 2025.
    = rows 1..50 | Rows 1 to 50.
    = size L–XXL, 40-46 | Sizes 40 to 46.
    ! {"low":18,"high":24,"unit":"°C"} | Between 18 and 28 °C.
    ! Teilnehmer: 8–12 | Für 8 bis 20 Teilnehmer.
    ! from $1,200 up to $1,800 | It costs $1,200–$2,800.
    ! de 18 à 35 ans | Pour les 18-25 ans.
    ! 0.5–1.5 mg | 0.5 to 1.5 g.
    ! 10万円〜15万円 | 10万円から50万円です。
    ! Q1–Q3 2025 | From Q1 to Q4 2025.
    ! 8-10 people | 8-10 km
    = {"ph":{"min":6.5,"max":7.5}} | The pH should be between 6.5 and 7.5.
    = 100–150 EUR/Nacht | 100 to 150 euros a night
    = ab 14 Jahren | Ages 14 and up.
    = -5 bis +3 Grad | Zwischen −5 und +3 Grad.
    = entre 2,5 et 3 M€ | between 2.5 and 3 million euros
    = 2-3x schneller | two to three times faster
    = Kapitel 3–5 | chapters 3 to 5
    = max. 8 Personen | at most 8 people
    ! {"ph":{"min":6.5,"max":7.5}} | The pH should be between 6.5 and 8.5.
    ! 100–150 EUR/Nacht | 100 to 160 euros a night
    ! ab 14 Jahren | Ages 16 and up.
    ! -5 bis +3 Grad | Zwischen −3 und +5 Grad.
    ! entre 2,5 et 3 M€ | between 2.5 and 5 million euros
    ! Kapitel 3–5 | chapters 3 to 8
    ! 100–150 EUR/Nacht | 100 to 150 euros a week
    = between 7 and 9 working days | 7–9 working days
    = 18–65 Jahre | from 18 to 65 years
    = {"range":[0.2,0.35]} | from 0.2 to 0.35
    = Nr. 101 bis 110 | numbers 101 to 110
    = < 1 % | less than 1 percent
    = 3 à 4 fois par semaine | three to four times a week
    = p. 4–9, 12 | pages 4–9 and 12
    ! between 7 and 9 working days | 7–9 weeks
    ! 18–65 Jahre | from 18 to 56 years
    ! {"range":[0.2,0.35]} | from 0.2 to 0.53
    ! Nr. 101 bis 110 | numbers 101 to 120
    ! < 1 % | less than 10 percent
    ! 3 à 4 fois par semaine | 3–4 times a month
    ! p. 4–9, 12 | pages 4–12
    ! 20 bis 30 Minuten | 20 bis 30 Stunden
    = Kinder 6–14 J. | children aged 6 to 14
    = temperatures from −8 to 2 °C | between −8 °C and 2 °C
    = ca. 200–250 Gäste | around 200 to 250 guests
    = {"bounds":["1.0.0","2.0.0"]} | between 1.0.0 and 2.0.0
    = 3 bis 3,5 Stunden | 3–3.5 hours
    = entre el 5 y el 8 de mayo | May 5–8
    = §§ 12-14 | sections 12 to 14
    = 40–60k users | 40,000 to 60,000 users
    ! Kinder 6–14 J. | children aged 6 to 16
    ! temperatures from −8 to 2 °C | between −2 °C and 8 °C
    ! ca. 200–250 Gäste | around 200 to 350 guests
    ! 3 bis 3,5 Stunden | 3–4.5 hours
    ! entre el 5 y el 8 de mayo | May 5–9
    ! §§ 12-14 | sections 12 to 41
    ! 40–60k users | 40 to 60 million users
    ! 10–12 % | 10–12 points
    = Delivery in 2-3 business days | It arrives in two to three business days.
    = {"salary":{"from":70000,"to":85000},"currency":"EUR"} | between €70,000 and €85,000
    = for ages 3–6 | children from 3 to 6
    = temperature 15 to 22 °C | between 15 and 22 degrees Celsius
    = $20-30 per person | 20 to 30 dollars per person
    ! Delivery in 2-3 business days | It arrives in 2-5 business days.
    ! {"salary":{"from":70000,"to":85000},"currency":"EUR"} | between €70,000 and €95,000
    ! for ages 3–6 | children from 3 to 16
    ! temperature 15 to 22 °C | between 15 and 22 °F
    ! $20-30 per person | 20 to 30 dollars per hour
    = 5 to 10 kg | 5–10 kg
    = between €5k and €8k | €5,000–8,000
    = under 18 | younger than 18
    = 15–20 min | 15 to 20 minutes
    = 1.5–2x | 1.5 to 2 times
    ! 5 to 10 kg | 5–15 kg
    ! between €5k and €8k | €5,000–9,000
    ! under 18 | younger than 21
    ! 15–20 min | 15 to 20 hours
    ! 15–20 min | 15 to 25 minutes
    ! -5 to 5 °C | 0 to 5 °C
  `,
};
