/** Dimension of a unit, factor to the base unit of the dimension, and words and symbols in common languages, separated by spaces. */
export type Row = readonly [dimension: string, factor: string, words: string];

/** Table of units. The case of letters matters for single letters and for words in capitals. */
export const rows: readonly Row[] = rowsIn(`
    USD | 1 | bucks долларов доллара dólares 美元 ドル dólar доллары dollari
    EUR | 1 | euro euros евро ευρώ 欧元 ユーロ
    JPY | 1 | yen 円 yenes ienes
    CNY | 1 | yuan renminbi 元
    INR | 1 | rupee rupees रुपये रुपए rupien roupies
    KRW | 1 | won 원
    CHF | 1 | franken frank
    PLN | 1 | zł zloty zlotys złotych złote
    CZK | 1 | Kč kč koruna korun
    HUF | 1 | Ft forint forints
    RON | 1 | lei leu
    BGN | 1 | лв лева лев
    RUB | 1 | руб рубль рубля рублей ruble rubles rouble roubles
    UAH | 1 | грн гривня гривень hryvnia hryvnias
    TRY | 1 | TL lira liras
    BRL | 1 | reais
    IDR | 1 | rupiah
    MYR | 1 | ringgit
    VND | 1 | đ đồng
    THB | 1 | baht บาท
    ZAR | 1 | rand
    NGN | 1 | naira
    ILS | 1 | shekel shekels
    GBP | 1 | quid sterling фунтов 英镑 sterline ポンド
    % | 1 | % percent pct proc prosent prosenttia volymprocent viktprocent volumenprozent prozent procent procenten процентов процента パーセント percentuale
    % | 0.1 | ‰ promille
    pages | 1 | pp page pages seite seiten página páginas pagina pagine paginas
    points | 1 | pp point points punkte punkten prozentpunkt prozentpunkte prozentpunkten procentpunten procentpunkten p.p
    % | 0.01 | bps bp basispunkt basispunkte basispunkten basispunten
    points | 0.01 | bps bp basispunkt basispunkte basispunkten basispunten
    length | 0.000000001 | nm nanometer nanometers nanometre nanometres
    length | 0.000001 | µm μm um micron microns micrometer micrometers micrometre micrometres
    length | 0.001 | mm millimeter millimeters millimetre millimetres millimètre millimètres milímetro milímetros millimetri мм ミリ 毫米
    length | 0.01 | cm centimeter centimeters centimetre centimetres zentimeter zentimetern centimètre centimètres centímetro centímetros centimetri см сантиметров センチ センチメートル 厘米
    length | 1 | m meter meters metre metres mètre mètres metro metros metri метров метра metern м メートル
    length | 1000 | km kilometer kilometers kilometre kilometres kms kilomètre kilomètres kilómetro kilómetros chilometri quilómetros quilômetros километров 公里 kilometern км キロメートル キロ
    length | 0.0254 | inch inches zoll pouces pulgada pulgadas pollici
    length | 0.3048 | ft foot feet fuß pieds
    length | 0.9144 | yd yard yards
    length | 1609.344 | mi mile miles meile meilen millas miglia
    length | 1852 | nmi NM seemeilen
    mass | 0.000001 | mg milligram milligrams milligramm milligrammes miligramo miligramos miligramas milligrammi ミリグラム 毫克
    mass | 0.000000001 | µg μg ug mcg microgram micrograms
    mass | 0.000000000001 | ng nanogram nanograms
    mass | 0.001 | g gram grams gramme gramm gramo gramos grammi grama gramas grammes г グラム 克
    mass | 1 | kg kgs kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos килограммов 公斤 kilogramme кг キログラム quilos キロ
    mass | 1000 | t Mg tonne tonnes ton tons tonnen tonelada toneladas tonnellate тонн
    mass | 0.028349523125 | oz ounce ounces onza onzas unzen
    mass | 0.45359237 | lb lbs
    mass | 6.35029318 | stone
    volume | 0.000001 | µl μl µL μL microliter microliters microlitre microlitres
    volume | 0.001 | ml mL milliliter milliliters millilitre millilitres mililitro mililitros millilitri мл ミリリットル 毫升
    volume | 0.01 | cl centiliter centiliters centilitre centilitres zentiliter
    volume | 0.1 | dl dL
    volume | 100 | hl hL
    volume | 1 | l L liter liters litre litres litern litro litros litri л リットル
    volume | 3.785411784 | gal gallon gallons gallonen galón galones
    cups | 1 | cup cups
    spoons | 1 | tbsp tablespoon tablespoons EL esslöffel cucharada cucharadas cucchiai
    teaspoons | 1 | tsp teaspoon teaspoons teelöffel cucharadita cucharaditas cucchiaini
    time | 0.000001 | µs μs microsecond microseconds
    time | 0.001 | ms msec msecs millisecond milliseconds millis millisekunde millisekunden millisecondes milisegundos ミリ秒 毫秒
    time | 0.000000001 | ns nanosecond nanoseconds
    time | 1 | s sec secs second seconds sekunde sekunden segundos secondes secondi seconden секунд секунды 秒 초 segundo secondo sekund sekundy sekunda sekunder sekunti sekuntia saniye
    time | 60 | m min mins minute minutes minuten minutos minuti минут minut minuty minuta minuter minutter minuuttia dakika хвилин λεπτά perc минуты 分钟 分鐘 分間 분 minuto
    time | 3600 | h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur uren часа часов час godzin godziny godzina hodin hodiny hodina timmar timme tunti tuntia saat годин ώρες óra órák giờ 小时 小時 時間 시간 std stdn ч
    time | 86400 | d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen день дня дней dni dzień dní dny dagar dage dager dygn vardag vardagar arbetsdag arbetsdagar hverdage päivä päivää arkipäivää gün дні днів ημέρες napos ngày hari 天 日間 日间 日 일 werktag werktage werktagen arbeitstag arbeitstage arbeitstagen kalendertag kalendertage kalendertagen
    time | 604800 | wk wks week weeks woche wochen semaine semaines semana semanas settimana settimane weken недели недель неделя tygodni tygodnie tydzień týdnů týdny týden vecka veckor uge uger uke uker viikko viikkoa hafta тижні тижнів εβδομάδες tuần minggu 周 週間 星期 주 주일
    months | 1 | mo mos month months monat monate monaten mois mes meses mês mese mesi maand maanden месяц месяца месяцев miesiąc miesiące miesięcy měsíců měsíce měsíc månad månader måned måneder kuukautta kuukausi місяці місяців μήνες tháng bulan 个月 ヶ月 개월
    months | 12 | y yr yrs year years annum jahr jahre jahren an ans année années año años anno ano anos anni jaar год года лет lata rok roky år vuotta vuosi yıl роки років χρόνια tahun 年間 년
    data | 0.125 | bit bits
    data | 1 | byte bytes B
    data | 1000 | KB kB kilobyte kilobytes
    data | 1000000 | MB megabyte megabytes Mo
    data | 1000000000 | G GB gigabyte gigabytes Go
    data | 1000000000000 | TB terabyte terabytes
    data | 1024 | KiB Ki
    data | 1048576 | MiB Mi
    data | 1073741824 | GiB Gi
    data | 1099511627776 | TiB Ti
    data | 125 | kbit Kbit kb Kb kilobit kilobits
    data | 125000 | Mbit Mbits Mb megabit megabits
    data | 125000000 | Gbit Gbits Gb gigabit gigabits
    pixels | 1 | px pixel pixels
    pixels | 1000000 | MP megapixel megapixels
    power | 1 | W watt watts ワット
    power | 1000 | kW kilowatt kilowatts
    power | 1000000 | MW megawatt megawatts
    food energy | 1 | kcal calories calorie cal kilokalorien kilocalorías
    voltage | 1 | V volt volts
    current | 1 | A amp amps ampere amperes
    frequency | 1 | Hz hertz
    frequency | 1000 | kHz
    frequency | 1000000 | MHz
    frequency | 1000000000 | GHz
    power | 745.69987158227022 | hp bhp horsepower
    power | 735.49875 | PS ch
    light | 1 | lm lumen lumens
    illuminance | 1 | lx lux
    blood pressure | 1 | mmHg
    biological activity | 1 | IU
    beats | 1 | bpm BPM
    frames | 1 | fps FPS
    dots | 1 | dpi ppi
    parts per million | 1 | ppm
    parts per million | 0.001 | ppb
    pressure | 1 | hPa mbar millibar millibars hectopascal hectopascals
    capacitance | 0.000000000001 | pF
    capacitance | 0.000000001 | nF
    capacitance | 0.000001 | µF μF uF
    capacitance | 0.001 | mF
    resistance | 1 | ohm ohms
    pressure | 1000 | bar
    tyre pressure | 1 | psi
    force | 1 | N newton newtons
    sound | 1 | dB decibel decibels
    signal power | 1 | dBm
    torque | 1 | Nm
    celsius | 1 | °C C celsius centigrade
    fahrenheit | 1 | °F F fahrenheit
    kelvin | 1 | kelvin K
    area | 1 | m^2 m2 sqm quadratmeter quadratmetern 平方メートル 平米
    area | 1000000 | km^2 km2 quadratkilometer quadratkilometern
    area | 0.0001 | cm^2 cm2 sqcm
    area | 0.000001 | mm^2 mm2
    area | 10000 | ha hectare hectares hektar hectáreas hectáreas ettari
    area | 0.09290304 | sqft ft^2 ft2
    area | 4046.8564224 | acre acres
    cubic | 1 | m^3 m3 cbm kubikmeter kubikmetern 立方メートル
    cubic | 0.000001 | cm^3 cm3 cc
    energy | 1000 | kilowattstunde kilowattstunden kilowattheures
    pints | 1 | pint pints
    quarts | 1 | quart quarts
    substance | 0.000001 | umol
    turns | 1 | rpm
    times | 1 | x times fois mal veces volte vezes keer раз 回 次
`);

/** Reads a table with one row in each line. */
function rowsIn(table: string): readonly Row[] {
  return Array.from(table.trim().split("\n"), (line) => {
    const [dimension = "", factor = "", words = ""] = line.trim().split(" | ");
    return [dimension, factor, words];
  });
}

/** Units whose symbols can have an SI prefix. */
export const prefixed: readonly (readonly [dimension: string, symbol: string])[] = [
  ["energy", "Wh"],
  ["joules", "J"],
  ["power", "W"],
  ["peak power", "Wp"],
  ["apparent power", "VA"],
  ["charge", "Ah"],
  ["voltage", "V"],
  ["current", "A"],
  ["frequency", "Hz"],
  ["pascals", "Pa"],
  ["force", "N"],
  ["substance", "mol"],
  ["resistance", "Ω"],
  ["dose", "Sv"],
  ["activity", "Bq"],
];

/** Units whose words can have an SI prefix, with the factor of the word without a prefix. */
export const prefixedWords: readonly (readonly [dimension: string, factor: string, word: string])[] = [
  ["length", "1", "meter"],
  ["length", "1", "metre"],
  ["mass", "0.001", "gram"],
  ["mass", "0.001", "gramme"],
  ["volume", "1", "liter"],
  ["volume", "1", "litre"],
  ["time", "1", "second"],
  ["power", "1", "watt"],
  ["voltage", "1", "volt"],
  ["current", "1", "ampere"],
  ["current", "1", "amp"],
  ["resistance", "1", "ohm"],
  ["capacitance", "1", "farad"],
  ["frequency", "1", "hertz"],
  ["pascals", "1", "pascal"],
  ["joules", "1", "joule"],
  ["force", "1", "newton"],
  ["substance", "1", "mole"],
  ["dose", "1", "sievert"],
  ["energy", "1", "watt-hour"],
  ["sound", "10", "bel"],
];
export const wordPrefixes: readonly (readonly [prefix: string, factor: string])[] = [
  ["", "1"],
  ["pico", "0.000000000001"],
  ["nano", "0.000000001"],
  ["micro", "0.000001"],
  ["milli", "0.001"],
  ["centi", "0.01"],
  ["deci", "0.1"],
  ["hecto", "100"],
  ["kilo", "1000"],
  ["mega", "1000000"],
  ["giga", "1000000000"],
  ["tera", "1000000000000"],
];

export const prefixes: readonly (readonly [prefix: string, factor: string])[] = [
  ["", "1"],
  ["n", "0.000000001"],
  ["µ", "0.000001"],
  ["μ", "0.000001"],
  ["m", "0.001"],
  ["k", "1000"],
  ["M", "1000000"],
  ["G", "1000000000"],
  ["T", "1000000000000"],
];
