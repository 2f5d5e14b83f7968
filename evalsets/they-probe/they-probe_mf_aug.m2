S Adam have lost his keys again , so he is waiting outside .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S When Paula arrive at the airport , she called her parents .
A 2 3|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||0

S Deborah said that she was a child when the war begun .
A 10 11|||R:VERB:FORM|||began|||REQUIRED|||-NONE-|||0

S Even when Martin are tired , he is still a good driver .
A 3 4|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S Teresa hurt herself while she was repair the roof .
A 6 7|||R:MORPH|||repairing|||REQUIRED|||-NONE-|||0

S Sammy taught himself to playing the guitar .
A 4 5|||R:VERB:FORM|||play|||REQUIRED|||-NONE-|||0

S The doctors operated at her back , and now Maria can walk again .
A 3 4|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Luis put the phone in his pocket and go out .
A 8 9|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S Rebecca is very exciting because her sister is coming .
A 3 4|||R:MORPH|||excited|||REQUIRED|||-NONE-|||0

S I met Ethan last summer and he tell me about his new job .
A 7 8|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Veronica become a teacher because she was a patient person .
A 1 2|||R:VERB:TENSE|||became|||REQUIRED|||-NONE-|||0

S Jose is my neighbour , and he is a very kindly person .
A 10 11|||R:MORPH|||kind|||REQUIRED|||-NONE-|||0

S Karen always looks at herself in the mirror before she leaves house .
A 11 11|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Allen bought himself a new bicicle .
A 5 6|||R:SPELL|||bicycle|||REQUIRED|||-NONE-|||0

S Opal washed her face and brush her teeth .
A 5 6|||R:VERB:TENSE|||brushed|||REQUIRED|||-NONE-|||0

S Clinton could not open his eyes because of the light was too strong .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S Melissa did not came to the party because she had broken her leg .
A 3 4|||R:VERB:FORM|||come|||REQUIRED|||-NONE-|||0

S Derek work at night , so I never see him in the morning .
A 1 2|||R:VERB:SVA|||works|||REQUIRED|||-NONE-|||0

S If you see Sabrina , tell her that I am waiting in the station .
A 11 12|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Nolan forgot that his umbrella , so I gave him mine .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Patricia knew that she was the best student of the class .
A 8 9|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Howard was proud because he was the first who finished the race .
A 8 8|||M:NOUN|||person|||REQUIRED|||-NONE-|||0

S Grace blamed herself of the accident .
A 3 4|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S Ian promised himself that he would never smoking again .
A 7 8|||R:MORPH|||smoke|||REQUIRED|||-NONE-|||0

S Jennifer lost her balance and falled down the stairs .
A 5 6|||R:VERB:INFL|||fell|||REQUIRED|||-NONE-|||0

S Mitchell raised his hand to ask question .
A 6 6|||M:DET|||a|||REQUIRED|||-NONE-|||0

S Beulah 's boss gave her more money because she works hardly .
A 10 11|||R:MORPH|||hard|||REQUIRED|||-NONE-|||0

S Shane is living here since he was born .
A 1 2|||R:VERB:TENSE|||has|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||lived|||REQUIRED|||-NONE-|||0

S The book on the table is Francesca 's ; at least I thinks it is hers .
A 12 13|||R:VERB:SVA|||think|||REQUIRED|||-NONE-|||0

S The red car must be Erik 's because mine is blue and his is reder .
A 14 15|||R:SPELL|||red|||REQUIRED|||-NONE-|||0

S Lillian do n't like it when people laugh at her .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S Grady has did all his homework because he has a test tomorrow .
A 2 3|||R:VERB:FORM|||done|||REQUIRED|||-NONE-|||0

S Anna cut herself by a knife when she was cooking .
A 3 4|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S Roger said he is an only child , and he has no brother and sisters .
A 12 13|||R:NOUN:NUM|||brothers|||REQUIRED|||-NONE-|||0
A 13 14|||R:CONJ|||or|||REQUIRED|||-NONE-|||0

S Hilda broke her arm when she was ride a horse .
A 7 8|||R:VERB:FORM|||riding|||REQUIRED|||-NONE-|||0

S As soon as Isabelle will finish school , she wants to travel .
A 4 6|||R:VERB:TENSE|||finishes|||REQUIRED|||-NONE-|||0

S Although Pepe was tire , he continued his work .
A 3 4|||R:MORPH|||tired|||REQUIRED|||-NONE-|||0

S I trust Louise because she has never told to me a lie .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S Clayton was only a child , but he was already a famous swimer .
A 12 13|||R:SPELL|||swimmer|||REQUIRED|||-NONE-|||0

S Olga introduced herself to new neighbours .
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Nicolas shook his head and say nothing .
A 5 6|||R:VERB:TENSE|||said|||REQUIRED|||-NONE-|||0

S Eva suggest that she could drive us to her village .
A 1 2|||R:VERB:TENSE|||suggested|||REQUIRED|||-NONE-|||0

S Everyone has right to say what she thinks .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Each student must bring his passport when he goes to exam .
A 10 10|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Every worker should to know her rights .
A 3 4|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S Nobody want to lose his job in this situation .
A 1 2|||R:VERB:SVA|||wants|||REQUIRED|||-NONE-|||0

S If anyone call , please ask her to leave her number .
A 2 3|||R:VERB:SVA|||calls|||REQUIRED|||-NONE-|||0

S Somebody has left his bag in the bus .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S No one know what she would do in such a moment .
A 2 3|||R:VERB:SVA|||knows|||REQUIRED|||-NONE-|||0

S Everybody were afraid of the dark when he was a small child .
A 1 2|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0

S Each player believes that she is the star of team .
A 9 9|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Every child dreams that one day he will be a heroe .
A 10 11|||R:SPELL|||hero|||REQUIRED|||-NONE-|||0

S Anyone who thinks that she is a good cook can participates .
A 10 11|||R:VERB:FORM|||participate|||REQUIRED|||-NONE-|||0

S Each of the guests was asked if he was a vegetarian before dinner .
A 12 12|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Everyone should ask herself what is more important in life .
A 6 7|||R:ADV|||most|||REQUIRED|||-NONE-|||0

S Each person must take care about himself .
A 5 6|||R:PREP|||of|||REQUIRED|||-NONE-|||0

S Every student introduced herself for the teacher .
A 4 5|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S Nobody can teaches himself everything .
A 2 3|||R:VERB:FORM|||teach|||REQUIRED|||-NONE-|||0

S Anybody may help herself to the coffee .
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||0

S Everyone opened his eyes and looked to the sky .
A 6 7|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Each patient has to take off her shoes before enter the room .
A 9 10|||R:VERB:FORM|||entering|||REQUIRED|||-NONE-|||0

S Every passenger must show his ticket for the driver .
A 6 7|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S Somebody had written her name at the wall .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Every citizen have to pay his taxes every year .
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S Each employee can choose whether she works at home or at the office .
A 10 11|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Someone forget his glasses , so I kept them for him .
A 1 2|||R:VERB:TENSE|||forgot|||REQUIRED|||-NONE-|||0

S When a person loses everything , then she needs friends .
A 6 7|||U:ADV||||||REQUIRED|||-NONE-|||0

S Every parent wants that his children are happy .
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:FORM|||to be|||REQUIRED|||-NONE-|||0

S Every person has a secret , and nobody likes to told hers .
A 10 11|||R:MORPH|||tell|||REQUIRED|||-NONE-|||0

S Anyone which loses his card must tell the bank .
A 1 2|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S Everyone in room thought that the mistake was hers .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Someone told to me what he had seen in the forest .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Whoever come first can choose the seat that she likes .
A 1 2|||R:VERB:SVA|||comes|||REQUIRED|||-NONE-|||0

S Every artist express himself in another way .
A 2 3|||R:VERB:SVA|||expresses|||REQUIRED|||-NONE-|||0

S Everyone who says she is an expert should proves it .
A 8 9|||R:VERB:FORM|||prove|||REQUIRED|||-NONE-|||0

S Each runner tied his shoes and wait for the signal .
A 6 7|||R:VERB:TENSE|||waited|||REQUIRED|||-NONE-|||0

S Every time someone ask for help , I try to listen to her .
A 3 4|||R:VERB:SVA|||asks|||REQUIRED|||-NONE-|||0

S Not every teacher love his work as he should .
A 3 4|||R:VERB:SVA|||loves|||REQUIRED|||-NONE-|||0

S Somebody stole my phone , and I hope that the police will found her .
A 12 13|||R:VERB:FORM|||find|||REQUIRED|||-NONE-|||0

S Each candidate speaked about his experience for ten minutes .
A 2 3|||R:VERB:INFL|||spoke|||REQUIRED|||-NONE-|||0

S Nobody should hate herself because one mistake .
A 5 5|||M:PREP|||of|||REQUIRED|||-NONE-|||0

S Every member said that he was a student in this university .
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Everyone gets nervous before she speaks in the public .
A 7 8|||U:DET||||||REQUIRED|||-NONE-|||0

S The doctor said that he would called me in the afternoon .
A 6 7|||R:VERB:FORM|||call|||REQUIRED|||-NONE-|||0

S My best friend live in Rome and I visit her every year .
A 3 4|||R:MORPH|||lives|||REQUIRED|||-NONE-|||0

S The teacher was angry because he had lost his key .
A 9 10|||R:NOUN:NUM|||keys|||REQUIRED|||-NONE-|||0

S My neighbour bought a new car and now she drives it to the work .
A 12 13|||U:DET||||||REQUIRED|||-NONE-|||0

S The manager asked to me if I could help him .
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0

S The singer forgot the words of her must famous song .
A 7 8|||R:SPELL|||most|||REQUIRED|||-NONE-|||0

S My boss do not like when somebody interrupts him .
A 2 3|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S The driver did not stop although he hear the siren .
A 7 8|||R:VERB:TENSE|||heard|||REQUIRED|||-NONE-|||0

S My doctor told me that he was a heavy smoke for many years .
A 9 10|||R:MORPH|||smoker|||REQUIRED|||-NONE-|||0

S The writer said she was a shy child which loved books .
A 8 9|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S Our new colleague is funny , and he is a good listner .
A 11 12|||R:SPELL|||listener|||REQUIRED|||-NONE-|||0

S The lawyer thinks that he is the only person what can win .
A 9 10|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S My cousin dreamed of music when he was a teenage .
A 9 10|||R:MORPH|||teenager|||REQUIRED|||-NONE-|||0

S The pilot was calm because he is an experience professional .
A 8 9|||R:VERB:FORM|||experienced|||REQUIRED|||-NONE-|||0

S The nurse explained that she was a volunteer and not an employe .
A 11 12|||R:SPELL|||employee|||REQUIRED|||-NONE-|||0

S The chef burned himself when cooking the dinner .
A 4 5|||R:OTHER|||while|||REQUIRED|||-NONE-|||0

S My roommate locked himself out of flat .
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The artist painted herself like an old person .
A 4 5|||R:PREP|||as|||REQUIRED|||-NONE-|||0

S The manager wrote the whole report by himself in Sunday .
A 8 9|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S The dancer has hurt herself last week .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S My cousin considers himself as lucky .
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0

S The surgeon operate on his own brother .
A 2 3|||R:VERB:FORM|||operated|||REQUIRED|||-NONE-|||0

S The patient closed his eyes and fall asleep .
A 6 7|||R:VERB:TENSE|||fell|||REQUIRED|||-NONE-|||0

S The student lifted her head from the desktop .
A 7 8|||R:NOUN|||desk|||REQUIRED|||-NONE-|||0

S My best friend had a problem with his knee , so the doctor operated on his leg on May .
A 17 18|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S The cyclist injured her shoulder , so that she had to rest .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S The secretary said that she was looking for her glass .
A 9 10|||R:MORPH|||glasses|||REQUIRED|||-NONE-|||0

S The engineer showed us his plans for the knew bridge .
A 8 9|||R:ADJ|||new|||REQUIRED|||-NONE-|||0

S The new student do n't know where he has to go .
A 3 4|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S My best friend has problems her back , and yours is better than hers .
A 5 5|||M:PREP|||with|||REQUIRED|||-NONE-|||0

S The customer complained for the meal , and we gave him an other .
A 3 4|||R:PREP|||about|||REQUIRED|||-NONE-|||0
A 11 13|||R:ORTH|||another|||REQUIRED|||-NONE-|||0

S The author signs her books whenever she visits to our town .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S The president will give his speech in evening .
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0

S The police officer asked me to shown him my passport .
A 6 7|||R:VERB:FORM|||show|||REQUIRED|||-NONE-|||0

S The child cried he wanted to see his mother .
A 3 3|||M:PREP|||because|||REQUIRED|||-NONE-|||0

S My dentist recommend a clinic where she works on Fridays .
A 2 3|||R:VERB:TENSE|||recommended|||REQUIRED|||-NONE-|||0

S The politician contradicted himself at the interview .
A 4 5|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S The visitor took her coat and leave the house .
A 6 7|||R:VERB:TENSE|||left|||REQUIRED|||-NONE-|||0

S The winner of the competition receive a prize , and his name is in newspaper .
A 5 6|||R:VERB:SVA|||receives|||REQUIRED|||-NONE-|||0
A 14 14|||M:DET|||the|||REQUIRED|||-NONE-|||0

S My landlord said that the garden was hers and not our .
A 10 11|||R:SPELL|||ours|||REQUIRED|||-NONE-|||0

S I asked the guide if he could to speak slower .
A 7 8|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S The scientist was suprised when he saw the results of his test .
A 3 4|||R:SPELL|||surprised|||REQUIRED|||-NONE-|||0

S The coach knew that he was a strict teatcher , but he wanted us to win .
A 8 9|||R:SPELL|||teacher|||REQUIRED|||-NONE-|||0

S My mother have always worked with her computer at home .
A 2 3|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S My mother bought an computer , but her computer was too slow .
A 3 4|||R:DET|||a|||REQUIRED|||-NONE-|||0

S My brother is study law , and he wants to be a judge .
A 3 4|||R:VERB:FORM|||studying|||REQUIRED|||-NONE-|||0

S My aunt told us about her journy to India .
A 6 7|||R:SPELL|||journey|||REQUIRED|||-NONE-|||0

S The waitress bringed us the menu and she smiled .
A 2 3|||R:VERB|||brought|||REQUIRED|||-NONE-|||0

S The queen lost her crown when she was crossing the river in a horse .
A 11 12|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S My husband always is late because he works too much .
A 2 4|||R:WO|||is always|||REQUIRED|||-NONE-|||0

S This woman said that she had never be here before .
A 7 8|||R:VERB:FORM|||been|||REQUIRED|||-NONE-|||0

S My grandfather told me that he was a farmer since forty years .
A 9 10|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S That girl thinks she is the boss of the playgroung .
A 9 10|||R:SPELL|||playground|||REQUIRED|||-NONE-|||0

S My son says he is an adult from last week .
A 7 8|||R:PREP|||since|||REQUIRED|||-NONE-|||0

S The actor was famous when he was still a childs .
A 9 10|||R:NOUN:INFL|||child|||REQUIRED|||-NONE-|||0

S My sister believes that she is a genius on mathematics .
A 8 9|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S The man next door told me he was a nurse in a hospital .
A 10 11|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S My grandmother talks to herself when she is along .
A 8 9|||R:SPELL|||alone|||REQUIRED|||-NONE-|||0

S My uncle made himself cup of tea .
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||0

S The princess saw herself in the watter .
A 6 7|||R:SPELL|||water|||REQUIRED|||-NONE-|||0

S A woman must be honest to herself .
A 5 6|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S My daughter can dress herself although she is only three year old .
A 10 11|||R:NOUN:NUM|||years|||REQUIRED|||-NONE-|||0

S My father cut his finger while he was cuting bread .
A 8 9|||R:SPELL|||cutting|||REQUIRED|||-NONE-|||0

S The boy opened his mouth but said not a word .
A 6 7|||R:VERB|||did|||REQUIRED|||-NONE-|||0
A 8 8|||M:VERB|||say|||REQUIRED|||-NONE-|||0

S The policewoman put her hand on my sholder .
A 7 8|||R:SPELL|||shoulder|||REQUIRED|||-NONE-|||0

S My sister broke her leg in Monday .
A 5 6|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S My stepmother teached us how she repairs her bike .
A 2 3|||R:VERB:INFL|||taught|||REQUIRED|||-NONE-|||0

S My nephew speak three languages because his parents travel a lot .
A 2 3|||R:VERB:SVA|||speaks|||REQUIRED|||-NONE-|||0

S The groom was crying , but also nobody knew why he was so sad .
A 5 7|||R:OTHER|||and|||REQUIRED|||-NONE-|||0

S My stepfather asked me whether I could lend him some moneys .
A 10 11|||R:NOUN:NUM|||money|||REQUIRED|||-NONE-|||0

S The old gentleman need help , so I carry his bag for him .
A 3 4|||R:VERB:SVA|||needs|||REQUIRED|||-NONE-|||0

S My girlfriend and I disagree , becouse she likes the city .
A 6 7|||R:SPELL|||because|||REQUIRED|||-NONE-|||0

S That house belongs my grandfather , and the garden is his too .
A 3 3|||M:PREP|||to|||REQUIRED|||-NONE-|||0

S Our niece have been ill when she was a baby .
A 2 4|||R:VERB:TENSE|||was|||REQUIRED|||-NONE-|||0

S The duke calls himself as lucky .
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0

S I saw the saleswoman yesterday , and she did not recognised me .
A 10 11|||R:VERB:FORM|||recognise|||REQUIRED|||-NONE-|||0

S The girl who sits besides me never does her homework .
A 4 5|||R:PREP|||beside|||REQUIRED|||-NONE-|||0

S My grandmother sat on her chair and was telling us a story .
A 7 9|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Adam met his cousins , and the cousins said that they was tired .
A 11 12|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0

S Martin put his books over their .
A 5 6|||R:SPELL|||there|||REQUIRED|||-NONE-|||0

S My parents loves Jose and call him every week .
A 2 3|||R:VERB:SVA|||love|||REQUIRED|||-NONE-|||0

S Each student knows that her teachers are busy because they has many classes .
A 10 11|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0

S Everyone hopes that the neighbours and there children is happy about his choice .
A 6 7|||R:DET|||their|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

S The doctor met the children , and she give them some sweets .
A 8 9|||R:VERB:TENSE|||gave|||REQUIRED|||-NONE-|||0

S My best friend said that the guests put his coats over their .
A 11 12|||R:SPELL|||there|||REQUIRED|||-NONE-|||0

S My mother likes dogs , but she thinks that big dogs is dangerous .
A 11 12|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

S My brother met his friends , and the whole group enjoyed theirself .
A 11 12|||R:PRON|||themselves|||REQUIRED|||-NONE-|||0

