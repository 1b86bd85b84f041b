/**
 * What a tool told and what an answer states, by domain; `=`: the answer states what was told, `!`: it states something else. JSON is
 * read as JSON.
 */
export const pairs: Readonly<Record<string, string>> = {
  money: `
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
  `,
  dates: `
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
  `,
  versions: `
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
  `,
  codes: `
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
  `,
  addresses: `
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
  `,
  measures: `
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
  `,
  percentages: `
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
  `,
  phones: `
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
  `,
  times: `
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
  `,
  ranges: `
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
  `,
};
