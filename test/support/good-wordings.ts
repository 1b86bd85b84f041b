/** Different wordings of one correct answer: three for making a spec, further correct ones, and one in German. */
export interface Wordings {
  readonly first: readonly string[];
  readonly further: readonly string[];
  readonly german: string;
}

export const garden: Wordings = {
  first: [
    "The roses have 38 %, the herbs had 17 %; the herb bed got five litres, since the fern bed has no hose.",
    "Moisture is 38 % in the rose bed and was 17 % in the herb bed. As the ferns have no hose, the herbs got 5 litres.",
    "Rose bed: 38%. Herb bed: 17%, so I watered it with five litres; there is no hose at the fern bed.",
  ],
  further: [
    "I measured 38 % for the roses and 17 % for the herbs. The fern bed has no hose; the herb bed was watered instead.",
    "The herb bed (17 %) is much drier than the rose bed (38 %). It has been given five litres, because a hose is missing at the ferns.",
    "No hose reaches the fern bed, so the herb bed got the water. Before that it was at 17 %, the roses are at 38 %.",
    "Herbs 17 %, roses 38 %. Watered the herb bed, the ferns lack a hose.",
    "Your roses are fine with 38 percent. Your herbs had only 17 percent and got 5 l, since the fern bed lacks a hose.",
    "38 % at the roses, 17 % at the herbs: the latter were watered, as the fern bed cannot be reached by hose.",
    "The comparison: rose bed 38 %, herb bed 17 %. The fern bed has no hose, which is why its neighbour got the five litres.",
    "With 17 % the herb bed was the driest; the rose bed has 38 %. I gave it five litres because of the missing hose.",
    "There is no hose at the ferns. The herbs, at 17 % moisture before, received five litres; the roses have 38 %.",
    "Roses: 38 % moist. Herbs: 17 % moist, now watered with five litres as the fern bed has no hose.",
  ],
  german:
    "Die Rosen haben 38 %, die Kräuter hatten 17 %; das Kräuterbeet bekam fünf Liter, weil am Farnbeet kein Schlauch liegt.",
};

export const snow: Wordings = {
  first: [
    "Col Vert 34 cm, Pas Noir 12 cm; two nights in the Cabane Haute are free.",
    "There are 34 cm of snow on Col Vert and 12 cm on Pas Noir. The Cabane Haute has beds for two nights.",
    "Pas Noir has 12 cm, Col Vert has 34 cm. You can stay two nights at Cabane Haute.",
  ],
  further: [
    "On Col Vert lie 34 cm, on Pas Noir only 12 cm. Cabane Haute is free for both nights.",
    "Snow: 34 cm (Col Vert) against 12 cm (Pas Noir). For the nights I found the Cabane Haute.",
    "Col Vert carries 34cm, Pas Noir 12cm. The Cabane Haute still takes guests for two nights.",
    "Less snow on Pas Noir (12 cm) than on Col Vert (34 cm); nights are available in the Cabane Haute.",
    "I would take Pas Noir, it has 12 cm and not 34 cm like Col Vert. Cabane Haute has two free nights.",
    "The Refuge Nord is closed until May, but the Cabane Haute has room for two nights. Col Vert: 34 cm, Pas Noir: 12 cm.",
    "34 centimetres on Col Vert, 12 on Pas Noir. Free for two nights: Cabane Haute.",
    "Cabane Haute can host you for two nights. The snow is 34 cm deep on Col Vert, 12 cm deep on Pas Noir.",
    "Pas Noir: 12 cm. Col Vert: 34 cm. Both nights are free at the Cabane Haute.",
    "You find 34 cm on Col Vert and 12 cm on Pas Noir; the Cabane Haute is not booked out for these two nights.",
  ],
  german: "Col Vert 34 cm, Pas Noir 12 cm; zwei Übernachtungen in der Cabane Haute sind frei.",
};

export const weather: Wordings = {
  first: [
    "Oslo has 4 °C and rain, Lisbon 19 °C and sun. 100 NOK are 8.57 EUR.",
    "It rains in Oslo at 4 °C, while Lisbon enjoys sun and 19 °C. For 100 NOK you get 8.57 EUR.",
    "Lisbon: 19 °C, sun. Oslo: 4 °C, rain. 100 NOK convert to 8.57 EUR.",
  ],
  further: [
    "Oslo is at 4 degrees with rain, Lisbon at 19 degrees with sun; 100 NOK make 8.57 EUR.",
    "In Lisbon the sun shines at 19 °C. In Oslo there is rain at 4 °C. Your 100 NOK are worth 8.57 EUR.",
    "Rain and 4°C in Oslo, sun and 19°C in Lisbon. The 100 NOK come to €8.57.",
    "The warmer city is Lisbon with 19 °C and sun (Oslo: 4 °C, rain). Exchanged, 100 NOK are 8.57 EUR.",
    "4 °C with rain in Oslo against 19 °C with sun in Lisbon; 8.57 EUR for 100 NOK.",
    "You get 8.57 EUR for your 100 NOK. Oslo reports rain and 4 °C, Lisbon reports sun and 19 °C.",
    "Take an umbrella for the rain of Oslo (4 °C), and glasses for the sun of Lisbon (19 °C). 100 NOK = 8.57 EUR.",
    "Oslo: rain, 4 °C; Lisbon: sun, 19 °C; exchange: 8.57 EUR.",
    "At 19 °C and sun Lisbon is nicer than Oslo with its 4 °C and rain. 100 NOK equal 8.57 EUR.",
    "The amount is 8.57 EUR. As to the cities, there is rain in Oslo (4 °C) and sun in Lisbon (19 °C).",
  ],
  german: "Oslo hat 4 °C und Regen, Lissabon 19 °C und Sonne. 100 NOK sind 8,57 EUR.",
};

export const berth: Wordings = {
  first: [
    "The Turing gets berth 4 at 15:05.",
    "High water is at 15:05, and berth 4 is reserved for the Turing.",
    "I booked berth 4 for 15:05, when the tide is high.",
  ],
  further: [
    "Berth 4 is free at 15:05, so the Turing goes there.",
    "At 15:05 the Turing can enter berth 4.",
    "Your ship has berth 4 at high water, 15:05.",
    "The tide peaks at 15:05. The Turing has berth 4.",
    "For the Turing: berth 4, 15:05.",
    "Done: the Turing is assigned to berth 4 from 15:05 on.",
    "Quay South has high water at 15:05; berth 4 is yours.",
    "It is berth 4, at 15:05.",
    "The Turing may dock in berth 4. High water: 15:05.",
    "15:05 is high water, and berth 4 was given to the Turing.",
  ],
  german: "Die Turing bekommt um 15:05 Liegeplatz 4.",
};

export const stock: Wordings = {
  first: [
    "There are 12 M4 in bin A-03 and 140 M6 in bin B-07. M9 is not a part of ours.",
    "M4: 12 pieces, bin A-03. M6: 140 pieces, bin B-07. I do not know any part M9.",
    "I found 12 pieces of M4 (A-03) and 140 of M6 (B-07); no part is called M9.",
  ],
  further: [
    "We have 12 M4, which lie in A-03, and 140 M6, which lie in B-07. M9 is unknown.",
    "Bin A-03 holds 12 M4, bin B-07 holds 140 M6. The stock list has no M9.",
    "140 M6 are left in B-07, and 12 M4 in A-03. There is no M9.",
    "M6 is at 140 (B-07), M4 at 12 (A-03). The part M9 does not exist here.",
    "Of M4 there are twelve (12) in A-03; of M6 there are 140 in B-07. M9 could not be found.",
    "Stock: M4 12 (A-03), M6 140 (B-07), M9 not listed.",
    "You will find M4 in bin A-03 (12 left) and M6 in bin B-07 (140 left). No M9 is kept.",
    "A-03: 12 M4. B-07: 140 M6. M9: no such part.",
    "12 bolts M4 wait in A-03 and 140 bolts M6 in B-07, but nothing is known of M9.",
    "For M9 the system knows no part. M4 has 12 in A-03 and M6 has 140 in B-07.",
  ],
  german: "Wir haben 12 M4 (Fach A-03) und 140 M6 (Fach B-07). Ein Teil M9 kennen wir nicht.",
};
